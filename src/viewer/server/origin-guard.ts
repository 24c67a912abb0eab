import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { HttpError } from './http-error.ts'

/** The names by which a browser reaches a server of its own machine. */
const loopbackPattern = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i

/** The addresses of a server that is bound to all addresses of the machine. */
const wildcardHosts: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
/** The names that containers use for the machine on which they run. */
const containerHosts = ['host.docker.internal', 'host.containers.internal']

/** Decides by the headers of a request whether it may come from a page of another site. */
export class OriginGuard {
  private readonly hosts: ReadonlySet<string>
  private readonly acceptsAddresses: boolean

  /** @param host - the address to which the server is bound, which is also valid as a `Host` */
  constructor(host: string) {
    const names = [host, `[${host}]`, ...(wildcardHosts.has(host) ? [hostname(), ...containerHosts] : [])]
    this.hosts = new Set(names.map((name) => name.toLowerCase()))
    this.acceptsAddresses = wildcardHosts.has(host)
  }

  /**
   * Refuses a request whose `Host` is not this server. A page of another site can resolve its own name to a loopback address (DNS rebinding),
   * but it cannot change this header.
   *
   * @throws HttpError
   */
  checkHost({ headers: { host } }: IncomingMessage): void {
    if (host === undefined || !this.isOwnName(nameOf(host)))
      throw new HttpError(403, 'this server answers requests to localhost only')
  }

  /**
   * Refuses a request that a page of another origin sent.
   *
   * @throws HttpError
   */
  checkSameOrigin({ headers }: IncomingMessage): void {
    const { origin, host } = headers
    if (origin !== undefined && origin !== `http://${host}`)
      throw new HttpError(403, 'this server answers requests of its own page only')
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      throw new HttpError(403, 'this server answers requests of its own page only')
  }

  /**
   * Returns the origin that may send telemetry: that of a page of this machine; undefined for a request that no page sent.
   *
   * @throws HttpError for another origin
   */
  telemetryOrigin({ headers: { origin } }: IncomingMessage): string | undefined {
    if (origin === undefined) return undefined
    const name = /^https?:\/\/([^/]+)$/.exec(origin)?.[1]
    if (name === undefined || !this.isOwnName(nameOf(name)))
      throw new HttpError(403, 'only pages of this machine may send telemetry')
    return origin
  }

  private isOwnName(name: string): boolean {
    if (loopbackPattern.test(name) || this.hosts.has(name.toLowerCase())) return true
    // An address cannot be resolved to another one, as a name can be.
    return this.acceptsAddresses && isIP(name.replaceAll(/^\[|\]$/g, '')) !== 0
  }
}

/** Returns a host without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import { ownCopy } from '../../options/own-members.ts'
import { sdkVersion } from '../../record/sdk.ts'
import type { Headers } from '../../platform/node/otlp-header-list.ts'
import { HeaderError } from './headers.ts'
import type { Post } from './http.ts'
import { urlSecrets } from './mask.ts'
import type { OtlpSettings } from './options.ts'
import { TlsFileError } from './tls.ts'

/** Names the exporter, its language and its version; what the user puts into the header stands in front of it (OTL15). */
const userAgent = `Sluice-OTLP-Exporter-JavaScript/${sdkVersion}`

/** Without options Node reads those of an object that inherits from `Object.prototype`. */
const usual: ZlibOptions = ownCopy({})

/** Makes requests out of bodies: compressed, and with headers and certificates as they are at the time. */
export class RequestMaker {
  private readonly settings: OtlpSettings
  private readonly contentType: string
  private readonly moreSecrets: readonly string[]

  /** @param moreSecrets - what messages must not hold besides the secrets of the settings */
  constructor(settings: OtlpSettings, contentType: string, moreSecrets: readonly string[] = []) {
    this.settings = settings
    this.contentType = contentType
    this.moreSecrets = moreSecrets
  }

  /** Throws an error whose message can be told. */
  async make(body: Uint8Array): Promise<Post> {
    const { headers, timeoutMillis, compression } = this.settings
    const fields = await headers.get(timeoutMillis)
    return this.post(
      fields,
      compression === 'gzip'
        ? await promisify<Uint8Array, ZlibOptions, Uint8Array>(process.getBuiltinModule('node:zlib').gzip)(body, usual)
        : body,
    )
  }

  /** The same without the event loop. */
  makeSync(body: Uint8Array): Post {
    const { headers, compression } = this.settings
    const fields = headers.getSync()
    return this.post(
      fields,
      compression === 'gzip' ? process.getBuiltinModule('node:zlib').gzipSync(body, usual) : body,
    )
  }

  /** What must not stand in a message. */
  get secrets(): string[] {
    return [...this.settings.headers.secrets, ...urlSecrets(this.settings.url), ...this.moreSecrets]
  }

  private post(fields: Headers, body: Uint8Array): Post {
    const { url, timeoutMillis, compression, tls } = this.settings
    const product = fields.get('user-agent')
    const headers: [string, string][] = [...fields].filter(([name]) => name !== 'user-agent')
    headers.push(['user-agent', product === undefined ? userAgent : `${product} ${userAgent}`])
    headers.push(['content-type', this.contentType])
    if (compression === 'gzip') headers.push(['content-encoding', 'gzip'])
    return { url: url.href, headers, body, timeoutMillis, tls: url.protocol === 'https:' ? tls.read() : {} }
  }
}

/** What can be told of an error of `make`. */
export function unmade(error: unknown): string {
  const isOurs = error instanceof HeaderError || error instanceof TlsFileError
  return isOurs ? `was not called: ${error.message}` : 'was not called: the request could not be made'
}

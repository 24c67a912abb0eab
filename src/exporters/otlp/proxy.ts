import type * as http from 'node:http'
import { urlSecrets } from './mask.ts'
import { member } from '../../options/own-members.ts'

/** The variables of proxies that Node reads. */
const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const

/** The proxy variables that requests use. Each is a URL, or a list of hosts. */
export type ProxySettings = Readonly<Record<string, string>>

/**
 * Returns the proxy settings of Node's own agent: those of the environment with `NODE_USE_ENV_PROXY=1` or `--use-env-proxy`
 * (Node 22.21, 24.5 and later), or those of `http.setGlobalProxyFromEnv()`. undefined where Node uses no proxy.
 */
export function nodeProxySettings(): ProxySettings | undefined {
  // Other runtimes have an agent without options.
  const { globalAgent } = process.getBuiltinModule('node:http')
  const options = member(globalAgent as { readonly options?: AgentOptions }, 'options')
  const env = options && member(options, 'proxyEnv')
  if (env === undefined || env === null) return undefined
  const set = names.flatMap((name) => {
    const value = member(env, name)
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return set.length === 0 ? undefined : (Object.fromEntries(set) as ProxySettings)
}

/** Agent options that this package's types of Node do not have yet. */
export interface AgentOptions extends http.AgentOptions {
  readonly proxyEnv?: Readonly<Record<string, string | undefined>> | undefined
}

/** The credentials in the URLs of proxies, which no message may hold. */
export function proxySecrets(settings: ProxySettings | undefined): string[] {
  return Object.values(settings ?? {}).flatMap((value) => {
    const url = URL.parse(value)
    return url === null ? [] : urlSecrets(url)
  })
}

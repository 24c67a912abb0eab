import type * as http from 'node:http'
import { urlSecrets } from './mask.ts'
import { member } from '../../options/own-members.ts'

/** The proxy variables that Node reads. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const

/** The proxy variables that requests use. Each is a URL, or a list of hosts. */
export type ProxySettings = Readonly<Record<string, string>>

/**
 * Returns the proxy settings of Node's global agent: those of the environment with `NODE_USE_ENV_PROXY=1` or `--use-env-proxy`
 * (Node 22.21, 24.5 and later), or those of `http.setGlobalProxyFromEnv()`. Returns undefined if Node uses no proxy.
 */
export function nodeProxySettings(): ProxySettings | undefined {
  // In other runtimes the agent has no options.
  const { globalAgent } = process.getBuiltinModule('node:http')
  const options = member(globalAgent as { readonly options?: AgentOptions }, 'options')
  const env = options && member(options, 'proxyEnv')
  if (env === undefined || env === null) return undefined
  const entries = proxyVariables.flatMap((name) => {
    const value = member(env, name)
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as ProxySettings)
}

/** Agent options that the installed Node types do not include yet. */
export interface AgentOptions extends http.AgentOptions {
  readonly proxyEnv?: Readonly<Record<string, string | undefined>> | undefined
}

/** Returns the credentials in the URLs of proxies. They must not appear in messages. */
export function proxySecrets(settings: ProxySettings | undefined): string[] {
  return Object.values(settings ?? {}).flatMap((value) => {
    const url = URL.parse(value)
    return url === null ? [] : urlSecrets(url)
  })
}

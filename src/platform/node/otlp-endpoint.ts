/** Where OTLP goes, or what is wrong with the text that names it. */
export type Endpoint = { readonly url: URL } | { readonly problem: string }

/**
 * Reads a URL of an OTLP endpoint. It is taken as it stands; only an empty path becomes `/` (OTL3). User name and password
 * become a Basic `authorization`.
 */
export function endpointOf(text: string): Endpoint {
  // The URL parser would drop some of these and take a backslash for a slash: what is read must be what is called.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return { problem: 'must not hold blanks, control characters or backslashes' }
  if (!/^https?:\/\//i.test(text)) return { problem: 'must begin with http:// or https://' }
  const url = URL.parse(text)
  if (url === null) return { problem: 'must be a URL' }
  if (hidesItsHost(url)) return { problem: 'must have its host behind the @, and a user name and a password before it' }
  if (!isDecodable(url)) return { problem: 'must have a % in its user name and password written as %25' }
  return { url }
}

/** Whether an endpoint could be read. */
export function isUrl(endpoint: Endpoint): endpoint is { readonly url: URL } {
  return Object.hasOwn(endpoint, 'url')
}

/** The endpoint of logs below one for all signals: `v1/logs` behind its path (OTL3). */
export function logsEndpoint(base: URL): URL {
  const url = new URL(base)
  url.pathname += url.pathname.endsWith('/') ? 'v1/logs' : '/v1/logs'
  return url
}

/** Node decodes them for each request, and throws at what is no percent-encoding. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

/** `http://collector:4318@elsewhere/` goes elsewhere: what reads like a host is none. */
function hidesItsHost({ username, password }: URL): boolean {
  if (username === '' && password === '') return false
  if (username === '' || password === '') return true
  return /^\d{1,5}$/.test(password) && /^(?:localhost$|%5B|[^.]+\.)/i.test(username)
}

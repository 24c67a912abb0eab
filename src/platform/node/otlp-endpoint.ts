/** An OTLP endpoint, or the problem of its text. */
export type Endpoint = { readonly url: URL } | { readonly problem: string }

/**
 * Parses the URL of an OTLP endpoint. It is used unchanged, except that an empty path becomes `/` (OTL3). User name and
 * password become a Basic `authorization` header.
 */
export function endpointOf(text: string): Endpoint {
  // The URL parser would remove some of these characters and treat a backslash as a slash. The displayed URL must be the one used.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return { problem: 'must not contain spaces, control characters or backslashes' }
  if (!/^https?:\/\//i.test(text)) return { problem: 'must begin with http:// or https://' }
  const url = URL.parse(text)
  if (url === null) return { problem: 'must be a URL' }
  if (hidesItsHost(url)) return { problem: 'must have a user name and a password before the @, and the host after it' }
  if (!isDecodable(url)) return { problem: 'must have % in its user name and password encoded as %25' }
  return { url }
}

/** Returns whether an endpoint is valid. */
export function isUrl(endpoint: Endpoint): endpoint is { readonly url: URL } {
  return Object.hasOwn(endpoint, 'url')
}

/** Returns the logs endpoint for a base endpoint of all signals: `v1/logs` below its path (OTL3). */
export function logsEndpoint(base: URL): URL {
  const url = new URL(base)
  url.pathname += url.pathname.endsWith('/') ? 'v1/logs' : '/v1/logs'
  return url
}

/** Returns whether user name and password are valid percent-encoding. Node decodes them for each request, and throws if not. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether a URL such as `http://collector:4318@elsewhere/` has a user name that looks like a host, although requests
 * would be sent to `elsewhere`.
 */
function hidesItsHost({ username, password }: URL): boolean {
  if (username === '' && password === '') return false
  if (username === '' || password === '') return true
  return /^\d{1,5}$/.test(password) && /^(?:localhost$|%5B|[^.]+\.)/i.test(username)
}

/** An OTLP endpoint, or the problem of its text. */
export type Endpoint = { readonly url: URL } | { readonly problem: string }

/**
 * Parses the URL of an OTLP endpoint. It is used unchanged, except that an empty path becomes `/`. User name and
 * password become a Basic `authorization` header.
 */
export function endpointOf(text: string): Endpoint {
  // The URL parser would remove some of these characters and treat a backslash as a slash. The displayed URL must be the one used.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return { problem: 'must not contain spaces, control characters or backslashes' }
  if (!/^https?:\/\//i.test(text)) return { problem: mustBeHttp }
  const url = URL.parse(text)
  if (url === null) return { problem: 'must be a URL' }
  if (isHostAmbiguous(url))
    return { problem: 'must have a user name and a password before the @, and the host after it' }
  if (!isDecodable(url)) return { problem: 'must have % in its user name and password encoded as %25' }
  return { url }
}

const mustBeHttp = 'must begin with http:// or https://'

/** Returns the problem of the URL that logs are sent to, with an example; undefined if it is valid. */
export function logsUrlProblem(text: string): string | undefined {
  const endpoint = endpointOf(text)
  if (isValidEndpoint(endpoint)) return undefined
  return endpoint.problem === mustBeHttp ? `${mustBeHttp}, such as http://localhost:4318/v1/logs` : endpoint.problem
}

/** Returns whether an endpoint is valid. */
export function isValidEndpoint(endpoint: Endpoint): endpoint is { readonly url: URL } {
  return Object.hasOwn(endpoint, 'url')
}

/** Returns the logs endpoint for a base endpoint of all signals: `v1/logs` below its path. */
export function logsEndpoint(base: URL): URL {
  const url = new URL(base)
  url.pathname += url.pathname.endsWith('/') ? 'v1/logs' : '/v1/logs'
  return url
}

/** A URL that logs are sent to. */
export interface LogsUrl {
  readonly url: URL
  /** Whether the text has no path, and `/v1/logs` was added. */
  readonly isPathAdded: boolean
}

/**
 * Returns the URL that logs are sent to, for the text of an option that `endpointOf` accepts. A URL without a path is usually that of
 * the server, so the path of OTLP is added.
 */
export function logsUrlOf(text: string): LogsUrl {
  const endpoint = endpointOf(text)
  if (!isValidEndpoint(endpoint)) throw new TypeError(endpoint.problem)
  const isPathAdded = !/^https?:\/\/[^/?#]*\//i.test(text)
  return { url: isPathAdded ? logsEndpoint(endpoint.url) : endpoint.url, isPathAdded }
}

/** Reports that `/v1/logs` was added. The message contains only the origin of the URL, because the rest may contain secrets. */
export function reportAddedPath(
  { reportDiagnostic }: { reportDiagnostic(code: string, message: string): void },
  name: string,
  { url, isPathAdded }: LogsUrl,
): void {
  if (!isPathAdded) return
  const message = `${name}: url has no path, so records are sent to ${url.origin}${url.pathname}; write that URL`
  reportDiagnostic('SLUICE_OTLP_PATH_ADDED', message)
}

/** Returns whether user name and password are valid percent-encoding. Node decodes them for each request, and throws if they are not. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether the text before the `@` may be a host, as in `http://collector:4318@elsewhere/`, although requests are sent to
 * the host after it: only one of user name and password is set, or they look like a host and a port.
 */
function isHostAmbiguous({ username, password }: URL): boolean {
  if (username === '' && password === '') return false
  if (username === '' || password === '') return true
  return /^\d{1,5}$/.test(password) && /^(?:localhost$|%5B|[^.]+\.)/i.test(username)
}

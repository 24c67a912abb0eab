/** The parts of a request target, without user information and with query secrets redacted. */
export interface Target {
  readonly path: string
  /** The query without the question mark; undefined for a target without a query. */
  readonly query: string | undefined
}

/** Returns whether the value of a query parameter, a form field or a member of JSON with this name, as it was sent, is secret. */
export type SecretNameTest = (name: string) => boolean

/** Parses a request target: `/path?query`, an absolute URL, `host:port` of CONNECT, or `*`. A fragment is never sent. */
export function targetOf(url: string, isSecret: SecretNameTest): Target {
  const pathAndQuery = url.charCodeAt(0) === slashCode ? url : withoutAuthority(url)
  const queryMark = pathAndQuery.indexOf('?')
  if (queryMark < 0) return { path: pathAndQuery, query: undefined }
  const query = pathAndQuery.slice(queryMark + 1)
  return { path: pathAndQuery.slice(0, queryMark), query: query === '' ? undefined : redactedQuery(query, isSecret) }
}

/**
 * Redacts a URL or URL reference in a header: user information is removed, and secrets in the query and the fragment are redacted.
 */
export function redactedUrl(url: string, isSecret: SecretNameTest): string {
  const [, base, query, fragment] = /^([^?#]*\??)([^#]*)(.*)$/s.exec(url.replace(userInformation, '$1'))!
  // Single-page applications have routes after the `#`, which can have queries.
  const isSecretInFragment: SecretNameTest = (name) => isSecret(name.replace(/^.*[?#]/s, ''))
  return base! + redactedQuery(query!, isSecret) + redactedQuery(fragment!, isSecretInFragment)
}

/** Returns the secrets of a request target, as they were sent: values of query parameters, user information and the password in it. */
export function secretValuesOf(url: string, isSecret: SecretNameTest): string[] {
  const queryMark = url.indexOf('?')
  const parameters = queryMark < 0 ? [] : url.slice(queryMark + 1).split('&')
  const values = parameters
    .map((parameter) => [parameter, parameter.indexOf('=')] as const)
    .filter(([parameter, equals]) => equals >= 0 && isSecret(parameter.slice(0, equals)))
    .map(([parameter, equals]) => parameter.slice(equals + 1))
  const [, information] = /^(?:[a-z][a-z0-9+.-]{0,64}:\/\/)?([^/?#]*)@/i.exec(url) ?? []
  return information === undefined ? values : [...values, information, information.slice(information.indexOf(':') + 1)]
}

const userInformation = /^((?:[a-z][a-z0-9+.-]{0,64}:)?\/\/)[^/?#]*@/i
const slashCode = 47
/** The text that replaces a secret. */
export const secretReplacement = '[REDACTED]'

/**
 * Removes the scheme and authority of an absolute URL: they name this server, and may contain a password (RFC 3986 section 3.2.1).
 * Of any other target, such as `host:port` of CONNECT, only user information is removed.
 */
function withoutAuthority(url: string): string {
  const [authority] = /^[a-z][a-z0-9+.-]{0,64}:\/\/[^/?#]*/i.exec(url) ?? []
  if (authority === undefined) return url.slice(url.lastIndexOf('@') + 1)
  const rest = url.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Redacts the secret values of a query; the rest is unchanged. */
function redactedQuery(query: string, isSecret: SecretNameTest): string {
  let redacted = ''
  let copiedEnd = 0
  for (let start = 0; start < query.length;) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    const equals = query.indexOf('=', start)
    if (equals >= 0 && equals < end && isSecret(query.slice(start, equals))) {
      redacted += query.slice(copiedEnd, equals + 1) + secretReplacement
      copiedEnd = end
    }
    start = end + 1
  }
  return copiedEnd === 0 ? query : redacted + query.slice(copiedEnd)
}

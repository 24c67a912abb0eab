/** The parts of a request target, without user information and with query secrets redacted. */
export interface Target {
  readonly path: string
  /** The query without the question mark; undefined when there is none. */
  readonly query: string | undefined
}

/** Returns whether the value of a query parameter is secret. `name` is the name as written in the query. */
export type SecretTest = (name: string) => boolean

/** Parses a request target: `/path?query`, an absolute URL, `host:port` of CONNECT, or `*`. A fragment is never sent. */
export function targetOf(url: string, isSecret: SecretTest): Target {
  const own = url.charCodeAt(0) === slash ? url : withoutAuthority(url)
  const mark = own.indexOf('?')
  if (mark < 0) return { path: own, query: undefined }
  const query = own.slice(mark + 1)
  return { path: own.slice(0, mark), query: query === '' ? undefined : redactedQuery(query, isSecret) }
}

/**
 * Redacts a URL or URL reference in a header: user information is removed, and secrets in the query and the fragment are redacted.
 */
export function redactedUrl(url: string, isSecret: SecretTest): string {
  const [, own, query, fragment] = /^([^?#]*\??)([^#]*)(.*)$/s.exec(url.replace(userInformation, '$1'))!
  // Single-page applications have routes after the `#`, which can have queries.
  const inFragment: SecretTest = (name) => isSecret(name.replace(/^.*[?#]/s, ''))
  return own! + redactedQuery(query!, isSecret) + redactedQuery(fragment!, inFragment)
}

const userInformation = /^((?:[a-z][a-z0-9+.-]{0,64}:)?\/\/)[^/?#]*@/i
const slash = 47
const censor = '[REDACTED]'

/** Removes the part before the path: it names this server, and may contain a password (RFC 3986 section 3.2.1). */
function withoutAuthority(url: string): string {
  const [authority] = /^[a-z][a-z0-9+.-]{0,64}:\/\/[^/?#]*/i.exec(url) ?? []
  if (authority === undefined) return url.slice(url.lastIndexOf('@') + 1)
  const rest = url.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Redacts the secret values of a query; the rest is unchanged. */
function redactedQuery(query: string, isSecret: SecretTest): string {
  let redacted = ''
  let copiedEnd = 0
  for (let start = 0; start < query.length;) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    const equals = query.indexOf('=', start)
    if (equals >= 0 && equals < end && isSecret(query.slice(start, equals))) {
      redacted += query.slice(copiedEnd, equals + 1) + censor
      copiedEnd = end
    }
    start = end + 1
  }
  return copiedEnd === 0 ? query : redacted + query.slice(copiedEnd)
}

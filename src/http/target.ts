/** A request's target in parts: no user information, and no secret of the query. */
export interface Target {
  readonly path: string
  /** Without the question mark; undefined where there is none. */
  readonly query: string | undefined
}

/** Whether a query parameter's value is a secret; `name` as it stands in the query. */
export type SecretTest = (name: string) => boolean

/** Takes a target apart: `/path?query`, a whole URL, `host:port` of CONNECT, or `*`. A fragment is never sent. */
export function targetOf(url: string, isSecret: SecretTest): Target {
  const own = url.charCodeAt(0) === slash ? url : withoutAuthority(url)
  const mark = own.indexOf('?')
  if (mark < 0) return { path: own, query: undefined }
  const query = own.slice(mark + 1)
  return { path: own.slice(0, mark), query: query === '' ? undefined : coveredQuery(query, isSecret) }
}

/** A URL or a reference to one, as headers have them, without its user information and the secrets of its query and fragment. */
export function redactedUrl(url: string, isSecret: SecretTest): string {
  const [, own, query, fragment] = /^([^?#]*\??)([^#]*)(.*)$/s.exec(url.replace(userInformation, '$1'))!
  // Programs in a browser have addresses of their own behind the `#`, with queries of their own.
  const inFragment: SecretTest = (name) => isSecret(name.replace(/^.*[?#]/s, ''))
  return own! + coveredQuery(query!, isSecret) + coveredQuery(fragment!, inFragment)
}

const userInformation = /^((?:[a-z][a-z0-9+.-]{0,64}:)?\/\/)[^/?#]*@/i
const slash = 47
const censor = '[REDACTED]'

/** What stands in front of the path is a name of this server's, and may hold a password (RFC 3986 section 3.2.1). */
function withoutAuthority(url: string): string {
  const [authority] = /^[a-z][a-z0-9+.-]{0,64}:\/\/[^/?#]*/i.exec(url) ?? []
  if (authority === undefined) return url.slice(url.lastIndexOf('@') + 1)
  const rest = url.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The query with the values of secrets covered; everything else stays as it was sent. */
function coveredQuery(query: string, isSecret: SecretTest): string {
  let covered = ''
  let kept = 0
  for (let start = 0; start < query.length;) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    const equals = query.indexOf('=', start)
    if (equals >= 0 && equals < end && isSecret(query.slice(start, equals))) {
      covered += query.slice(kept, equals + 1) + censor
      kept = end
    }
    start = end + 1
  }
  return kept === 0 ? query : covered + query.slice(kept)
}

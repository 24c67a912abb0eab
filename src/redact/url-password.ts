/** Returns a URL with the password in its user information redacted, as RFC 3986 section 3.2.1 recommends. */
export function maskUrlPassword(url: string): string {
  // Up to two schemes, as in `jdbc:postgresql://…`.
  return url.replace(/^((?:[a-z][a-z0-9+.-]{0,64}:){0,2})\/\/([^/?#@:]*):[^/?#]*@/i, '$1//$2:[REDACTED]@')
}

/** Returns a text with the passwords of all URLs in it redacted. */
export function maskUrlPasswords(text: string): string {
  return mayHoldUrlPassword(text) ? text.replace(userInformationWithPassword, '//$1:[REDACTED]@') : text
}

/**
 * Returns whether a text, such as JSON, can contain a URL with a password. Most texts contain no `@`, which is much faster to check than
 * the expression.
 */
export function mayHoldUrlPassword(text: string): boolean {
  return text.includes('@') && text.search(userInformationWithPassword) >= 0
}

/**
 * The user information of a URL with a password. A quote ends a URL in JSON, unless it is escaped. The time is linear, because a match
 * begins at `//` and contains no other `//`.
 */
const userInformationWithPassword = /\/\/((?:[^/?#@:"\\]|\\.)*):(?:[^/?#"\\]|\\.)*@/g

/** Returns whether a value is a WHATWG URL, of any realm and implementation. Never throws. */
export function isUrl(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  try {
    return Object.prototype.toString.call(value) === '[object URL]'
  } catch {
    return false // a getter or a proxy trap
  }
}

/**
 * Returns the text of a member with the URL password redacted, if the member is the URL of a request or belongs to a result of `url.parse`.
 * Other text is returned unchanged.
 *
 * @param memberNames - the names of all members of the object that has the member
 */
export function maskPasswordIfUrlMember(key: string, text: string, memberNames: readonly string[]): string {
  switch (key) {
    case 'url':
    case 'originalUrl':
      return isRequest(memberNames) ? maskUrlPassword(text) : text
    case 'href':
      return isParsedUrl(memberNames) ? maskUrlPassword(text) : text
    case 'auth':
      return isParsedUrl(memberNames) ? text.replace(/:.*$/s, ':[REDACTED]') : text
    default:
      return text
  }
}

function isRequest(names: readonly string[]): boolean {
  return names.includes('method') && (names.includes('headers') || names.includes('rawHeaders'))
}

function isParsedUrl(names: readonly string[]): boolean {
  return names.includes('slashes') && names.includes('href')
}

/** Returns a URL with the password in its user information redacted, as RFC 3986 section 3.2.1 recommends. */
export function maskPassword(url: string): string {
  // Up to two schemes, as in `jdbc:postgresql://…`.
  return url.replace(/^((?:[a-z][a-z0-9+.-]{0,64}:){0,2})\/\/([^/?#@:]*):[^/?#]*@/i, '$1//$2:[REDACTED]@')
}

/** Returns a text with the passwords of all URLs in it redacted. */
export function maskPasswords(text: string): string {
  return mayHoldUrlPassword(text) ? text.replace(userInformation, '//$1:[REDACTED]@') : text
}

/**
 * Returns whether a text, such as JSON, can contain a URL with a password. Most texts contain no `@`, which is much faster to check than
 * the expression.
 */
export function mayHoldUrlPassword(text: string): boolean {
  return text.includes('@') && text.search(userInformation) >= 0
}

/** A quote ends a URL in JSON, unless it is escaped. The time is linear, because a match begins at `//` and does not cross a `/`. */
const userInformation = /\/\/((?:[^/?#@:"\\]|\\.)*):(?:[^/?#"\\]|\\.)*@/g

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
 * Returns the text of a member with the password redacted, if the member is the URL of a request or belongs to a result of `url.parse`.
 *
 * @param names - the names of all members of the object
 */
export function maskMember(key: string, text: string, names: readonly string[]): string {
  switch (key) {
    case 'url':
    case 'originalUrl':
      return isRequest(names) ? maskPassword(text) : text
    case 'href':
      return isParsed(names) ? maskPassword(text) : text
    case 'auth':
      return isParsed(names) ? text.replace(/:.*$/s, ':[REDACTED]') : text
    default:
      return text
  }
}

function isRequest(names: readonly string[]): boolean {
  return names.includes('method') && (names.includes('headers') || names.includes('rawHeaders'))
}

function isParsed(names: readonly string[]): boolean {
  return names.includes('slashes') && names.includes('href')
}

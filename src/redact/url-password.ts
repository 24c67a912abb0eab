/** Returns a URL without the password in its user information (RFC 3986 section 3.2.1 asks not to show it). */
export function maskPassword(url: string): string {
  // Two schemes are those of `jdbc:postgresql://…`.
  return url.replace(/^((?:[a-z][a-z0-9+.-]{0,64}:){0,2})\/\/([^/?#@:]*):[^/?#]*@/i, '$1//$2:[REDACTED]@')
}

/** Returns a text without the passwords of all URLs in it. */
export function maskPasswords(text: string): string {
  return mayHoldUrlPassword(text) ? text.replace(userInformation, '//$1:[REDACTED]@') : text
}

/**
 * Returns whether a text, such as JSON, can hold a URL with a password. Most texts have no `@`, which is found out much faster than
 * what an expression matches.
 */
export function mayHoldUrlPassword(text: string): boolean {
  return text.includes('@') && text.search(userInformation) >= 0
}

/** A quote ends a URL in JSON, unless it is escaped. Time is linear: a match begins at `//` and does not pass a `/`. */
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
 * Returns the text of a member without the password, where it is the URL of a request or what `url.parse` returned. `names` are those of
 * all members of the object.
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

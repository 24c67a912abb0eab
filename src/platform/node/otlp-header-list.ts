/** HTTP headers by lowercase name. */
export type HeaderMap = ReadonlyMap<string, string>

/**
 * Parses `name=value,name=value` in the syntax of W3C Baggage with percent-encoded values. Metadata after a semicolon is
 * not allowed. An invalid pair is ignored.
 *
 * @param reportProblem - Called for each invalid pair, with what is wrong with it.
 */
export function parseHeaderList(text: string, reportProblem: (problem: string) => void): HeaderMap {
  const headers = new Map<string, string>()
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue
    const [name, value] = pairOf(pair)
    const problem = value === undefined ? 'is not name=value with a percent-encoded value' : headerProblem(name, value)
    if (problem === undefined) headers.set(name.toLowerCase(), value!)
    else reportProblem(problem)
  }
  return headers
}

/** Returns the problem of a header, or undefined if it is valid. The result does not contain the value. */
export function headerProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'has a value that is not a string'
  if (!tokenSyntax.test(name)) return 'has an invalid name'
  if (!valueSyntax.test(value)) return 'has a value with invalid characters'
  return reservedNames.has(name.toLowerCase()) ? 'is set by the exporter' : undefined
}

/** The syntax of a token (RFC 9110, 5.6.2). */
const tokenSyntax = /^[\w!#$%&'*+.^`|~-]+$/
/** The syntax of a value (RFC 9110, 5.5): no control character except tab, and no character of more than one byte. */
const valueSyntax = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that the exporter sets, because they frame the request or describe its content. */
const reservedNames: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function pairOf(pair: string): [string, string | undefined] {
  // Split only at the first '=', because base64 ends with '='.
  const separator = pair.indexOf('=')
  if (separator < 0 || pair.includes(';')) return ['', undefined]
  try {
    return [pair.slice(0, separator).trim(), decodeURIComponent(pair.slice(separator + 1).trim())]
  } catch {
    return ['', undefined]
  }
}

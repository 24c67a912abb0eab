/** Header fields by lower-case name. */
export type Headers = ReadonlyMap<string, string>

/**
 * Reads `name=value,name=value` in the syntax of W3C Baggage with percent-encoded values (OTL4). Metadata behind a
 * semicolon is not allowed. A pair that is wrong is left out, and `wrong` is called with what is wrong with it.
 */
export function headerList(text: string, wrong: (what: string) => void): Headers {
  const headers = new Map<string, string>()
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue
    const [name, value] = pairOf(pair)
    const problem = value === undefined ? 'is no name=value with a percent-encoded value' : headerProblem(name, value)
    if (problem === undefined) headers.set(name.toLowerCase(), value!)
    else wrong(problem)
  }
  return headers
}

/** What is wrong with a header field; undefined when nothing is. The value is not part of the answer. */
export function headerProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'has a value that is no string'
  if (!token.test(name)) return 'has a name that is no token'
  if (!fieldContent.test(value)) return 'has a value with characters that a header cannot hold'
  return ours.has(name.toLowerCase()) ? 'is set by the exporter' : undefined
}

/** RFC 9110, 5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/
/** RFC 9110, 5.5: no control character but the tab, and no character of more than a byte. */
const fieldContent = /^[\t\x20-\x7e\x80-\xff]*$/

/** What frames the request and says what is in it. */
const ours: ReadonlySet<string> = new Set([
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
  // Base64 ends in '=': only the first one divides.
  const at = pair.indexOf('=')
  if (at < 0 || pair.includes(';')) return ['', undefined]
  try {
    return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
  } catch {
    return ['', undefined]
  }
}

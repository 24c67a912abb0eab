import type { QueryPath } from './query.ts'
import type { QueryScanner } from './query-scanner.ts'
import { unexpected } from './syntax-error.ts'

/** The maximum number of segments of a key. */
const maxPathLength = 64

const maxIndexDigits = 9

/** Parses a key: names with dots between them, and indexes or names in brackets. */
export function parsePath(scanner: QueryScanner): QueryPath {
  const path: (string | number)[] = [parseName(scanner)]
  for (;;) {
    if (path.length > maxPathLength)
      throw scanner.error(scanner.position, [], `the key has more than ${maxPathLength} parts; shorten it`)
    const hasDot = scanner.take('.')
    if (scanner.peek() === '[') path.push(parseBracket(scanner))
    else if (hasDot) path.push(parseName(scanner))
    else return path
  }
}

function parseName(scanner: QueryScanner): string {
  const quoted = scanner.takeQuoted()
  const name = quoted?.text ?? scanner.takeBareName()
  if (name === '' && quoted === undefined) throw unexpected(scanner, ['a key'])
  return name
}

function parseBracket(scanner: QueryScanner): string | number {
  const open = scanner.position
  scanner.position++
  const start = scanner.position
  const digits = scanner.takeDigits()
  if (digits.length > maxIndexDigits) throw scanner.error(start, [], `an index has at most ${maxIndexDigits} digits`)
  const segment = digits === '' ? scanner.takeQuoted()?.text : Number(digits)
  if (segment === undefined) throw unexpected(scanner, ['an index', 'a name in quotes'])
  if (!scanner.take(']')) throw scanner.error(open, [']'], 'this bracket has no closing ]; add it')
  return segment
}

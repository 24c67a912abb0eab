import type { QueryKey, QueryValue } from './query.ts'
import type { QueryScanner } from './query-scanner.ts'
import { bareNumberOf, isReservedWord } from './query-syntax.ts'
import { isTextField } from './record-field.ts'
import { unexpected } from './syntax-error.ts'

/** Parses a value that a key is compared with. */
export function parseValue(scanner: QueryScanner, { path }: QueryKey): QueryValue {
  const quoted = scanner.takeQuoted()
  if (quoted !== undefined) return quoted.text
  const text = takeBareText(scanner, 'a value')
  if (isTextField(path)) return text
  const literal = literals.get(text)
  return literal === undefined ? (bareNumberOf(text) ?? text) : literal
}

/** Reads a text exactly as written, with its backslashes, in quotes or without. */
export function takeRawText(scanner: QueryScanner, expected: string): string {
  return scanner.takeRawQuoted()?.text ?? takeBareText(scanner, expected)
}

/** Reads a text without quotes. */
export function takeBareText(scanner: QueryScanner, expected: string): string {
  const text = isReservedWord(scanner.peekWord()) ? '' : scanner.takeBareValue()
  if (text === '') throw unexpected(scanner, [expected])
  return text
}

const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

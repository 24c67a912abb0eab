import { nearestName } from '../../options/nearest-name.ts'
import type { QueryError } from './query-error.ts'
import type { QueryScanner } from './query-scanner.ts'
import { isReservedWord } from './query-syntax.ts'

/** Returns the error for unexpected text at the current position. If that is a misspelled one of `words`, the message suggests the word. */
export function unexpected(
  scanner: QueryScanner,
  expected: readonly string[],
  words: readonly string[] = [],
): QueryError {
  scanner.skipSpace()
  const word = scanner.peekWord()
  const found = foundText(word === '' ? scanner.peek() : word)
  const suggestion = nearestName(word, words)
  const advice =
    suggestion === undefined
      ? isReservedWord(word)
        ? `; put "${word}" in quotes if it is a name or a value`
        : ''
      : `; did you mean ${suggestion}?`
  return scanner.error(scanner.position, expected, `expected ${listed(expected)} instead of ${found}${advice}`)
}

/** Reads the parenthesis that closes the one at `open`. `others` can be in its place; `words` are suggested for misspelled ones. */
export function expectClosing(
  scanner: QueryScanner,
  open: number,
  others: readonly string[] = [],
  words: readonly string[] = [],
): void {
  scanner.skipSpace()
  if (scanner.take(')')) return
  if (scanner.peek() !== '') throw unexpected(scanner, [...others, ')'], words)
  throw scanner.error(open, [...others, ')'], 'this parenthesis has no closing ); add it')
}

/** The maximum length of a text from the query in a message. */
export const maxQuotedLength = 24

function foundText(text: string): string {
  if (text === '') return 'the end of the query'
  return text === '"' || text === "'" ? 'a text in quotes' : `"${shortened(text)}"`
}

function shortened(text: string): string {
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text
}

/** Returns a list of descriptions, such as `a value`, and of symbols and words of the language, which are quoted. */
function listed(expected: readonly string[]): string {
  const words = expected.map((text) => (/^an? /.test(text) ? text : `"${text}"`))
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

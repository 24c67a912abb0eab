import type { TextRecord } from '../formats/text-record.ts'
import type { TextTime } from '../formats/text-time.ts'

/** What surrounds the line of a program: the prefix or the JSON object of the runtime, collector or tool that passed it on. */
export interface Envelope {
  /** The line inside, without its line end. */
  readonly inner: string
  /**
   * Whether this is a part of a longer line, and the next part follows in another envelope; undefined if these envelopes do not have parts.
   */
  readonly isPart: boolean | undefined
  readonly container: string | undefined
  readonly stream: string | undefined
  readonly time: TextTime | undefined
  /** The record, without its message, if the line inside has no known format. Without it, such a line is not a record. */
  readonly textRecord: TextRecord | undefined
}

/** An envelope without values. All are own members, so that none is read from `Object.prototype`. */
export const emptyEnvelope: Envelope = {
  inner: '',
  isPart: undefined,
  container: undefined,
  stream: undefined,
  time: undefined,
  textRecord: undefined,
}

/** Returns the position after any number of escape sequences that set colors (ECMA-48, SGR), such as `ESC [ 36 m`. */
export function skipColors(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === 27 && text.charCodeAt(at + 1) === 91) {
    let end = at + 2
    while (isParameter(text.charCodeAt(end))) end++
    if (text.charCodeAt(end) !== 109) return at
    at = end + 1
  }
  return at
}

function isParameter(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 59
}

/** Returns the end of a name of letters, digits and `_.@-` at a position of a text. */
export function nameEnd(text: string, start: number): number {
  let at = start
  while (isNameCharacter(text.charCodeAt(at))) at++
  return at
}

function isNameCharacter(code: number): boolean {
  return (
    ((code | 32) >= 97 && (code | 32) <= 122) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 46 ||
    code === 64 ||
    code === 95
  )
}

import type { AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import type { LineContext } from './line-context.ts'
import { readNestLine } from './nest.ts'
import { parseMembers } from './json-members.ts'
import { ValueConverter } from './json-values.ts'
import { levelFields, noTextParts, textRecord } from './text-record.ts'
import { withoutColors } from './without-colors.ts'
import { isDigit, readTextTime, type TextTime } from './text-time.ts'

/** The words that are levels in a text. Others, such as `log` or `none`, are also words of a sentence. */
const levelWords =
  /^(?:trace|debug|verbose|http|silly|info|notice|warn|warning|error|err|crit|critical|alert|emerg|fatal|panic|severe)$/i

/**
 * Reads a text that begins with a date, a time and a level, such as `2026-01-01 12:00:00,123 [main] ERROR failed` or
 * `2026-01-01T12:00:00.000Z error: failed`, or with a level and a colon, as winston's `simple()` writes it: `info: started {"port":3000}`.
 */
export function readLevelText(text: string, context: LineContext): ReadRecord | undefined {
  const first = text.charCodeAt(0)
  if (isDigit(first) || (first === openBracket && isDigit(text.charCodeAt(1)))) return readTimedText(text, context)
  const plain = withoutColors(text)
  if (plain.charCodeAt(0) === openBracket) return readNestLine(plain, context)
  const colon = plain.indexOf(':')
  if (colon < 3 || colon > 11 || plain.charCodeAt(colon + 1) !== space) return undefined
  // The runtime of Go writes `fatal error: …`.
  const word = plain.startsWith('fatal error') ? 'fatal' : plain.slice(0, colon)
  // `Error: …` is the first line of a stack trace.
  if (word !== word.toLowerCase() || !levelWords.test(word)) return undefined
  return record(plain.slice(colon + 2), word, undefined, context)
}

function readTimedText(text: string, context: LineContext): ReadRecord | undefined {
  const isBracketed = text.charCodeAt(0) === openBracket
  const time = readTextTime(text, isBracketed ? 1 : 0)
  if (time === undefined) return undefined
  let at = time.end
  if (isBracketed && text.charCodeAt(at++) !== closeBracket) return undefined
  const level = levelAt(text, at) ?? levelAt(text, afterBrackets(text, at))
  return level === undefined ? undefined : record(text.slice(level.end), level.word, time, context)
}

/** Returns the position after a group in brackets, such as the name of a thread. */
function afterBrackets(text: string, start: number): number {
  const open = afterSpaces(text, start)
  if (text.charCodeAt(open) !== openBracket) return text.length
  const close = text.indexOf(']', open)
  return close < 0 || close - open > 64 ? text.length : close + 1
}

/** Returns the level at a position, and the position of the message after it. A word in lowercase needs brackets or a colon. */
function levelAt(text: string, start: number): { word: string; end: number } | undefined {
  let at = afterSpaces(text, start)
  const isBracketed = text.charCodeAt(at) === openBracket
  if (isBracketed) at++
  let end = at
  while (isLetter(text.charCodeAt(end)) && end - at < 9) end++
  const word = text.slice(at, end)
  if (!levelWords.test(word)) return undefined
  if (isBracketed) {
    end = afterSpaces(text, end)
    if (text.charCodeAt(end++) !== closeBracket) return undefined
  }
  const hasColon = text.charCodeAt(end) === colonCode
  if (!isBracketed && !hasColon && word !== word.toUpperCase()) return undefined
  if (hasColon) end++
  const after = text.charCodeAt(end)
  if (end < text.length && after !== space && after !== tab) return undefined
  return { word, end: afterSpaces(text, end) }
}

function record(text: string, word: string, time: TextTime | undefined, context: LineContext): ReadRecord {
  const parts = { ...noTextParts, time: time?.time, timeUnixNano: time?.timeUnixNano, ...levelFields(word) }
  // The other fields are JSON after the message, in winston's `simple()` and in many custom formats.
  const open = text.endsWith('}') ? text.indexOf(' {"') : -1
  const members = open < 0 ? undefined : parseMembers(text.slice(open + 1))
  if (members === undefined) return textRecord({ ...parts, message: text }, context)
  const attributes = converter.value(members) as AnyValueMap
  return textRecord({ ...parts, message: text.slice(0, open), attributes }, context)
}

const converter = new ValueConverter()

function afterSpaces(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === space || text.charCodeAt(at) === tab) at++
  return at
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122
}

const tab = 9
const space = 32
const colonCode = 58
const openBracket = 91
const closeBracket = 93

import { readClockTime, isDigit } from '../formats/text-time.ts'
import { emptyEnvelope, nameEnd, skipColors, type Envelope } from './envelope.ts'

/**
 * Unwraps a line with a name and `|` in front of it, with or without colors, as process managers write it:
 * - `web-1  | …` (docker compose), `web.1.x7@node1    | …` (docker service logs)
 * - `0|web  | …` (pm2 logs)
 * - `12:00:01 web.1  | …` (foreman)
 */
export function unwrapPipePrefix(text: string): Envelope | undefined {
  const start = skipColors(text, 0)
  let at = start
  if (isDigit(text.charCodeAt(at))) at = afterNumbers(text, at)
  const nameStart = skipColors(text, at)
  const end = nameEnd(text, nameStart)
  if (end === nameStart || end - nameStart > maxNameLength) return undefined
  at = skipColors(text, end)
  while (text.charCodeAt(at) === space) at++
  at = skipColors(text, at)
  // Without a space before it, `|` is part of a text or of a table.
  if (at === end || text.charCodeAt(at) !== pipe) return undefined
  at = skipColors(text, at + 1)
  if (at < text.length && text.charCodeAt(at) !== space) return undefined
  // Only one space belongs to the prefix: the others are the indentation of the line.
  at = skipColors(text, at + 1)
  return { ...emptyEnvelope, inner: text.slice(at), container: text.slice(nameStart, end) }
}

/** Returns the position after the time of foreman or the number of pm2. */
function afterNumbers(text: string, start: number): number {
  const time = readClockTime(text, start)
  if (time !== undefined) return text.charCodeAt(time.end) === space ? time.end + 1 : start
  let at = start
  while (isDigit(text.charCodeAt(at)) && at - start < 6) at++
  return text.charCodeAt(at) === pipe ? at + 1 : start
}

const maxNameLength = 255
const space = 32
const pipe = 124

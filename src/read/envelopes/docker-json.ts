import { readTextTime } from '../formats/text-time.ts'
import { isMembers, memberOf, parseMembers } from '../formats/json-members.ts'
import { noTextParts } from '../formats/text-record.ts'
import type { Envelope } from './envelope.ts'

/**
 * Unwraps a line of Docker's logging driver json-file: `{"log":"…\n","stream":"stdout","time":"…Z"}`. Docker splits lines into parts of
 * 16 KiB, and only the last one ends with a newline.
 */
export function unwrapDockerJson(text: string): Envelope | undefined {
  if (!text.startsWith('{"log":"')) return undefined
  const entry = parseMembers(text)
  if (entry === undefined) return undefined
  const log = memberOf(entry, 'log')
  const stream = memberOf(entry, 'stream')
  const timeText = memberOf(entry, 'time')
  if (typeof log !== 'string' || (typeof stream !== 'string' && typeof timeText !== 'string')) return undefined
  const time = typeof timeText === 'string' ? readTextTime(timeText) : undefined
  const isPart = !log.endsWith('\n')
  return {
    inner: isPart ? log : log.slice(0, log.endsWith('\r\n') ? -2 : -1),
    isPart,
    container: containerOf(memberOf(entry, 'attrs')),
    stream: typeof stream === 'string' ? stream : undefined,
    time,
    textRecord: { ...noTextParts, time: time?.time, timeUnixNano: time?.timeUnixNano },
  }
}

/** Returns the name of the container, which the option `tag` of the driver adds. */
function containerOf(attrs: unknown): string | undefined {
  const tag = isMembers(attrs) ? memberOf(attrs, 'tag') : undefined
  return typeof tag === 'string' ? tag : undefined
}

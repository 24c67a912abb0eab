import type { ReadRecord } from '../record.ts'
import type { LineContext } from './line-context.ts'
import { levelFields, noTextParts, textRecord } from './text-record.ts'
import { exactTime } from './text-time.ts'

/** `[Nest] 4242  - 11/27/2026, 1:27:32 AM     LOG [Orders] started +3ms`; the context and the time since the last line can be missing. */
const linePattern =
  /^\[[^\]]{1,64}\] (\d+) +- (.{8,40}?) +(LOG|WARN|ERROR|DEBUG|VERBOSE|FATAL) (?:\[([^\]]{1,128})\] )?(.*?)(?: \+\d+ms)?$/s

/** Reads a line of the ConsoleLogger of NestJS, without its colors. */
export function readNestLine(text: string, context: LineContext): ReadRecord | undefined {
  const match = linePattern.exec(text)
  if (match === null) return undefined
  const [, pid, timeText = '', level = '', scope, message] = match
  // The order of day and month depends on the locale, except with the American clock.
  const millis = /\s[AP]M$/.test(timeText) ? Date.parse(timeText.replaceAll('\u202F', ' ')) : Number.NaN
  const time = Number.isNaN(millis) ? undefined : exactTime(millis, 0)
  const resource = new Map([['process.pid', Number(pid)]])
  return textRecord(
    {
      ...noTextParts,
      time: time?.time,
      timeUnixNano: time?.timeUnixNano,
      ...levelFields(level),
      scope,
      message,
      resource,
    },
    context,
  )
}

import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import type { LineContext } from './line-context.ts'
import { levelOf } from './levels.ts'
import { monthAt } from './access.ts'
import { noTextParts, textRecord, type TextRecord } from './text-record.ts'
import { digitsAt, isDigit, readClockTime, readTextTime, timeOf, type TextTime } from './text-time.ts'

/** Returns the level of a syslog severity, 0 to 7; undefined for another number. */
export function syslogLevel(severity: number): { severityNumber: number; level: string } | undefined {
  if (!(severity >= 0 && severity <= 7)) return undefined
  const { severityNumber, name } = levelOf(severity, 'syslog')
  return { severityNumber, level: name }
}

/** A syslog message: the values of its header, and the text of the message. */
export interface SyslogMessage {
  readonly parts: TextRecord
  readonly message: string
  /** The application and its process ID, such as `app[12]`; undefined without an application. */
  readonly application: string | undefined
}

/** Reads a line of RFC 5424, or of RFC 3164 with a priority. A length in front of it (RFC 6587, octet counting) is skipped. */
export function readSyslog(text: string, context: LineContext): ReadRecord | undefined {
  const message = parseSyslog(text)
  if (message === undefined) return undefined
  return textRecord({ ...message.parts, message: message.message }, context)
}

/** Returns the parts of a syslog line; undefined if it is not one. */
export function parseSyslog(text: string): SyslogMessage | undefined {
  const start = frameStart(text)
  if (start < 0) return undefined
  const close = text.indexOf('>', start)
  if (close < start + 2 || close > start + 4) return undefined
  const priority = digitsAt(text, start + 1, close - start - 1)
  if (priority < 0 || priority > 191) return undefined
  const level = syslogLevel(priority & 7)
  const facility = priority >> 3
  return text.startsWith('1 ', close + 1)
    ? parseRfc5424(text, close + 3, level, facility)
    : parseRfc3164(text, close + 1, level, facility)
}

/** Returns the position of `<`, which a length can precede; -1 if the line is not syslog. */
function frameStart(text: string): number {
  if (text.charCodeAt(0) === lessThan) return 0
  let at = 0
  while (at < 10 && isDigit(text.charCodeAt(at))) at++
  return at > 0 && text.charCodeAt(at) === space && text.charCodeAt(at + 1) === lessThan ? at + 1 : -1
}

type Level = ReturnType<typeof syslogLevel>

/** RFC 5424, section 6: `TIMESTAMP SP HOSTNAME SP APP-NAME SP PROCID SP MSGID SP STRUCTURED-DATA [SP MSG]`. */
function parseRfc5424(text: string, start: number, level: Level, facility: number): SyslogMessage | undefined {
  const words: string[] = []
  let at = start
  while (words.length < 5) {
    const end = text.indexOf(' ', at)
    if (end < 0 || end - at > 256) return undefined
    words.push(text.slice(at, end))
    at = end + 1
  }
  const [timeText = '', host = '', application = '', processId = '', messageId = ''] = words
  const time = readTextTime(timeText)
  if (time === undefined && timeText !== '-') return undefined
  const attributes = new Map<string, AnyValue>()
  const dataEnd = readStructuredData(text, at, attributes)
  if (dataEnd < 0) return undefined
  if (messageId !== '-') attributes.set('syslog.msgid', messageId)
  return syslogMessage(text.slice(dataEnd), { time, host, application, processId, level, facility, attributes })
}

/** RFC 3164, section 4.1: `Mmm dd hh:mm:ss HOSTNAME TAG[pid]: CONTENT`, without a year and without a zone. */
function parseRfc3164(text: string, start: number, level: Level, facility: number): SyslogMessage | undefined {
  const header = parseShortHeader(text, start)
  if (header === undefined) return undefined
  return syslogMessage(text.slice(header.end), { ...header, level, facility, attributes: new Map() })
}

/** The header of RFC 3164, which `journalctl` in its default form `short` also writes. */
export interface ShortHeader {
  readonly time: TextTime
  readonly host: string
  readonly application: string
  readonly processId: string
  /** The position of the message. */
  readonly end: number
}

/** Reads `Oct 11 22:14:15 host app[12]: ` or, as in `short-iso`, a time of ISO 8601 in its place. */
export function parseShortHeader(text: string, start: number): ShortHeader | undefined {
  const time = isDigit(text.charCodeAt(start)) ? readTextTime(text, start) : readShortTime(text, start)
  if (time === undefined || text.charCodeAt(time.end) !== space) return undefined
  const hostEnd = text.indexOf(' ', time.end + 1)
  if (hostEnd < 0 || hostEnd - time.end > 256) return undefined
  const host = text.slice(time.end + 1, hostEnd)
  const tagEnd = text.indexOf(':', hostEnd)
  if (tagEnd < 0 || tagEnd - hostEnd > 256) return undefined
  const tag = text.slice(hostEnd + 1, tagEnd)
  const match = /^([^\s[\]]+)(?:\[(\d+)\])?$/.exec(tag)
  if (match === null || !/^[\w.:%-]+$/.test(host)) return undefined
  const end = text.charCodeAt(tagEnd + 1) === space ? tagEnd + 2 : tagEnd + 1
  // `key:value` is not a tag.
  if (end === tagEnd + 1 && end < text.length) return undefined
  return { time, host, application: match[1]!, processId: match[2] ?? '-', end }
}

/** Reads `Oct 11 22:14:15`. The year is the one in which the time is closest to the current time and at most a day in the future. */
function readShortTime(text: string, start: number): TextTime | undefined {
  const month = monthAt(text, start)
  if (month === 0 || text.charCodeAt(start + 3) !== space) return undefined
  const isPadded = text.charCodeAt(start + 4) === space
  const day = isPadded ? digitsAt(text, start + 5, 1) : digitsAt(text, start + 4, 2)
  const clock = text.charCodeAt(start + 6) === space ? readClockTime(text, start + 7) : undefined
  if (clock === undefined || day < 0) return undefined
  const now = Date.now()
  const year = localYear(now)
  // Zones differ from UTC by less than a day.
  if (Date.UTC(year, month - 1, day) < now + 3 * dayMillis) {
    const time = timeOf({ ...clock, year, month, day, zone: undefined }, clock.end)
    if (time === undefined || time.time <= now + dayMillis) return time
  }
  return timeOf({ ...clock, year: year - 1, month, day, zone: undefined }, clock.end)
}

let yearSecond = NaN
let yearOfSecond = NaN

/** Returns the year in the zone of this system, and caches it for a second, because a Date of local time costs more than the rest. */
function localYear(now: number): number {
  const second = Math.floor(now / 1_000)
  if (second !== yearSecond) yearOfSecond = new Date(now).getFullYear()
  yearSecond = second
  return yearOfSecond
}

interface Header {
  readonly time: TextTime | undefined
  readonly host: string
  readonly application: string
  readonly processId: string
  readonly level: Level
  readonly facility: number | undefined
  readonly attributes: Map<string, AnyValue>
}

/** Returns a message with the parts of its header. `-` is the NILVALUE of RFC 5424. */
export function syslogMessage(message: string, header: Header): SyslogMessage {
  const { time, host, application, processId, level, facility, attributes } = header
  const resource = new Map<string, AnyValue>()
  if (application !== '-') resource.set('service.name', application)
  if (host !== '-') resource.set('host.name', host)
  const pid = Number(processId)
  if (Number.isInteger(pid)) resource.set('process.pid', pid)
  else if (processId !== '-') attributes.set('syslog.procid', processId)
  if (facility !== undefined) attributes.set('syslog.facility.code', facility)
  // RFC 5424 marks UTF-8 with a byte order mark.
  const text = message.charCodeAt(0) === 0xfeff ? message.slice(1) : message
  return {
    parts: {
      ...noTextParts,
      format: 'syslog',
      time: time?.time,
      timeUnixNano: time?.timeUnixNano,
      ...level,
      attributes,
      resource,
    },
    message: text,
    application: application === '-' ? undefined : application,
  }
}

/**
 * Reads STRUCTURED-DATA, `-` or `[id name="value" …]…`, into attributes `id.name`. Returns the position of the message; -1 if the data is
 * not valid. `"`, `\` and `]` are escaped in a value.
 */
function readStructuredData(text: string, start: number, attributes: Map<string, AnyValue>): number {
  let at = start
  if (text.charCodeAt(at) === dash) at++
  else if (text.charCodeAt(at) !== openBracket) return -1
  while (text.charCodeAt(at) === openBracket) {
    const idEnd = nameEnd(text, at + 1)
    const id = text.slice(at + 1, idEnd)
    if (id === '') return -1
    at = idEnd
    while (text.charCodeAt(at) === space) {
      const end = nameEnd(text, at + 1)
      if (end === at + 1 || text.charCodeAt(end) !== equalsSign || text.charCodeAt(end + 1) !== quote) return -1
      const close = closingQuote(text, end + 2)
      if (close < 0) return -1
      attributes.set(`${id}.${text.slice(at + 1, end)}`, unescaped(text.slice(end + 2, close)))
      at = close + 1
    }
    if (text.charCodeAt(at) !== closeBracket) return -1
    at++
  }
  if (at === text.length) return at
  return text.charCodeAt(at) === space ? at + 1 : -1
}

/** Returns the end of an SD-NAME: printable ASCII without `=`, space, `]` and `"`. */
function nameEnd(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= space || code >= 127 || code === equalsSign || code === closeBracket || code === quote) break
  }
  return at
}

function closingQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return -1
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\(["\\\]])/g, '$1') : text
}

const dayMillis = 86_400_000
const space = 32
const quote = 34
const dash = 45
const lessThan = 60
const equalsSign = 61
const openBracket = 91
const backslash = 92
const closeBracket = 93

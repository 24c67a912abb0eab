import { levelOf } from '../formats/levels.ts'
import {
  parseShortHeader,
  parseSyslog,
  syslogMessage,
  type ShortHeader,
  type SyslogMessage,
} from '../formats/syslog.ts'
import { isDigit } from '../formats/text-time.ts'
import { emptyEnvelope, type Envelope } from './envelope.ts'

/**
 * Unwraps a syslog message, or a line of `journalctl` in its default form, which has a header of RFC 3164 without a priority:
 * `Oct 11 22:14:15 host app[12]: …`.
 */
export function unwrapSyslog(text: string): Envelope | undefined {
  const message = parseSyslog(text)
  return message === undefined ? undefined : envelopeOf(message)
}

/** Unwraps a line of `journalctl` in the form `short` or `short-iso`, or of a file of rsyslog. */
export function unwrapShortHeader(text: string): Envelope | undefined {
  const header = parseShortHeader(text, 0)
  if (header === undefined) return undefined
  // Words after other times of ISO 8601 are a header only with the ID of a process.
  if (isDigit(text.charCodeAt(0)) && header.processId === '-' && !isRsyslog(text, header)) return undefined
  const parts = { ...header, level: undefined, facility: undefined, attributes: new Map() }
  return envelopeOf(syslogMessage(text.slice(header.end), parts))
}

/** Returns whether a time is one of rsyslog's file format, such as `2003-08-24T05:14:15.000003-07:00`, and a host and not a level follows. */
function isRsyslog(text: string, { time, host }: ShortHeader): boolean {
  const isExact = time.end === 32 && text.charCodeAt(10) === 84 && text.charCodeAt(29) === 58
  return isExact && !host.endsWith(':') && levelOf(host, 'names').severityNumber === 0
}

function envelopeOf({ parts, message, application }: SyslogMessage): Envelope {
  const { time, timeUnixNano } = parts
  return {
    ...emptyEnvelope,
    // The cookie of CEE marks JSON in a syslog message.
    inner: message.startsWith('@cee:') ? message.slice(5).trimStart() : message,
    container: application,
    time: time === undefined || timeUnixNano === undefined ? undefined : { time, timeUnixNano, end: 0 },
    textRecord: parts,
  }
}

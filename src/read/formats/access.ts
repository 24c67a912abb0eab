import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import type { LineContext } from './line-context.ts'
import { noTextParts, textRecord } from './text-record.ts'
import { digitsAt, readClockTime, timeOf, type TextTime } from './text-time.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the number of a month, 1 to 12, from its English abbreviation at a position of a text; 0 without a month. */
export function monthAt(text: string, start: number): number {
  return months.indexOf(text.slice(start, start + 3)) + 1
}

/**
 * The Common Log Format, `%h %l %u %t "%r" %>s %b` in the documentation of Apache's mod_log_config, and the combined format, which adds
 * `"%{Referer}i" "%{User-agent}i"`. Further fields, such as nginx's `$request_time`, may follow. Quotes within a field are escaped.
 */
const linePattern =
  /^(\S+) (\S+) (.{1,256}?) \[([^\]]{20,40})\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(?: (.*))?$/

/** Reads a line of an access log in the common or the combined format, with the attributes of OpenTelemetry's HTTP conventions. */
export function readAccessLine(text: string, context: LineContext): ReadRecord | undefined {
  // The bracket of the time is a cheap test before the expression.
  const bracket = text.indexOf(' [')
  if (bracket < 5 || bracket > 400 || text.charCodeAt(bracket + 4) !== 47) return undefined
  const match = linePattern.exec(text)
  if (match === null) return undefined
  const [, client = '', , user = '', timeText = '', request = '', statusText = '', size = '', referrer, agent, rest] =
    match
  const time = readAccessTime(timeText)
  if (time === undefined) return undefined

  const status = Number(statusText)
  const attributes = new Map<string, AnyValue>()
  const [method, target, protocol] = splitRequest(unescaped(request))
  if (method !== undefined) attributes.set('http.request.method', method)
  const path = setTarget(attributes, target)
  if (protocol !== undefined) setProtocol(attributes, protocol)
  attributes.set('http.response.status_code', status)
  if (size !== '-') attributes.set('http.response.body.size', Number(size))
  attributes.set('client.address', client)
  if (user !== '-') attributes.set('user.name', user)
  if (referrer !== undefined && referrer !== '-' && referrer !== '')
    attributes.set('http.request.header.referer', unescaped(referrer))
  if (agent !== undefined && agent !== '-' && agent !== '') attributes.set('user_agent.original', unescaped(agent))
  if (rest !== undefined && rest !== '') attributes.set('access_log.rest', rest)

  const severityNumber = severityOfStatus(status)
  const message =
    method === undefined ? `${unescaped(request)} ${status}` : `${method} ${path ?? target ?? ''} ${status}`
  const { time: millis, timeUnixNano } = time
  return textRecord(
    { ...noTextParts, format: 'access', time: millis, timeUnixNano, severityNumber, message, attributes },
    context,
  )
}

/** Returns the severity number of the status code of a response. */
export function severityOfStatus(status: number): number {
  return status >= 500 ? 17 : status >= 400 ? 13 : 9
}

/** Reads `10/Oct/2000:13:55:36 -0700`. */
function readAccessTime(text: string): TextTime | undefined {
  const clock = readClockTime(text, 12)
  const month = monthAt(text, 3)
  const sign = text[clock === undefined ? 0 : clock.end + 1]
  if (clock === undefined || month === 0 || (sign !== '+' && sign !== '-')) return undefined
  const hours = digitsAt(text, clock.end + 2, 2)
  const minutes = digitsAt(text, clock.end + 4, 2)
  const day = digitsAt(text, 0, 2)
  const year = digitsAt(text, 7, 4)
  if (hours < 0 || minutes < 0 || day < 0 || year < 0) return undefined
  const zone = (hours * 60 + minutes) * (sign === '-' ? -1 : 1)
  return timeOf({ ...clock, year, month, day, zone }, text.length)
}

/** Returns method, target and protocol of `GET /path HTTP/1.1`; an empty array for other bytes, such as those of a TLS handshake. */
function splitRequest(request: string): [method?: string, target?: string, protocol?: string] {
  const parts = request.split(' ')
  const [method = '', target, protocol] = parts
  if (parts.length < 2 || parts.length > 3 || !/^[A-Z][A-Z_-]*$/.test(method)) return []
  return [method, target, protocol]
}

/** Adds the attributes of the target of a request. Returns its path. */
export function setTarget(attributes: Map<string, AnyValue>, target: string | undefined): string | undefined {
  if (target === undefined) return undefined
  if (!target.startsWith('/')) {
    attributes.set('url.full', target)
    return undefined
  }
  const question = target.indexOf('?')
  const path = question < 0 ? target : target.slice(0, question)
  attributes.set('url.path', path)
  if (question >= 0) attributes.set('url.query', target.slice(question + 1))
  return path
}

/** Adds the attributes of a protocol such as `HTTP/1.1`. */
export function setProtocol(attributes: Map<string, AnyValue>, protocol: string): void {
  const slash = protocol.indexOf('/')
  if (slash < 0) return
  const name = protocol.slice(0, slash).toLowerCase()
  // `http` is the default of the conventions and is not written.
  if (name !== 'http') attributes.set('network.protocol.name', name)
  attributes.set('network.protocol.version', protocol.slice(slash + 1))
}

/** Replaces `\"`, `\\` and `\xhh`, which Apache and nginx write. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  if (!text.includes(String.raw`\x`))
    return text.replaceAll(/\\(.)/gs, (_match, one: string) => controls.get(one) ?? one)
  // Bytes are written one by one, so the text is built of bytes and decoded again.
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  const replaced = bytes.replaceAll(/\\(?:x([\dA-Fa-f]{2})|(.))/gs, (_match, hex: string | undefined, one: string) =>
    hex === undefined ? (controls.get(one) ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(replaced, 'latin1').toString('utf8')
}

const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

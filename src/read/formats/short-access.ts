import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import { setProtocol, setTarget, severityOfStatus } from './access.ts'
import type { LineContext } from './line-context.ts'
import { noTextParts, textRecord } from './text-record.ts'
import { withoutColors } from './without-colors.ts'

/**
 * The formats `tiny`, `short` and `dev` of morgan, and the line of the development server of Next.js:
 * - `GET /orders 200 5 - 2.649 ms`
 * - `::1 - GET /orders HTTP/1.1 200 5 - 2.649 ms`
 * - `GET /orders 200 2.649 ms - 5`
 * - `GET /orders 200 in 12ms`
 */
const linePattern =
  /^ ?(?:(\S{1,64}) (\S{1,256}) )?(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\S+)(?: (HTTP\/[\d.]+))? (\d{3}) (?:(\d+|-) - ([\d.]+) ms|([\d.]+) ms - (\d+|-)|in ([\d.]+) ?(ms|s)\b.*)$/

/** Reads a line of an access log without a time, with the attributes of OpenTelemetry's HTTP conventions. */
export function readShortAccessLine(text: string, context: LineContext): ReadRecord | undefined {
  // A cheap test before the expression.
  if (!requestStart.test(text) || text.length > maxLength) return undefined
  const match = linePattern.exec(withoutColors(text))
  if (match === null) return undefined
  const [, client, user, method = '', target = '', protocol, statusText] = match
  const [size, millis = match[9] ?? match[11] ?? '', unit] = [match[7] ?? match[10], match[8], match[12]]
  const status = Number(statusText)
  const attributes = new Map<string, AnyValue>([['http.request.method', method]])
  const path = setTarget(attributes, target)
  if (protocol !== undefined) setProtocol(attributes, protocol)
  attributes.set('http.response.status_code', status)
  if (size !== undefined && size !== '-') attributes.set('http.response.body.size', Number(size))
  // In seconds, as the metric of this name.
  attributes.set('http.server.request.duration', unit === 's' ? Number(millis) : Number(millis) / 1_000)
  if (client !== undefined) attributes.set('client.address', client)
  if (user !== undefined && user !== '-') attributes.set('user.name', user)
  const severityNumber = severityOfStatus(status)
  return textRecord(
    { ...noTextParts, format: 'access', severityNumber, message: `${method} ${path ?? target} ${status}`, attributes },
    context,
  )
}

// oxlint-disable-next-line no-control-regex
const requestStart = /^(?:\u001B\[\d*m| )?(?:\S{1,64} \S{1,256} )?(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /
const maxLength = 8_192

import { isDeepStrictEqual } from 'node:util'
import { decodeRequest } from '../../../test/support/otlp/messages.ts'
import type { Expected } from '../../scenarios/lines.ts'
import type { OtlpProtocol } from '../../subjects/subject.ts'

const mostProblems = 3

/** The checked part of an OTLP/JSON record. */
interface Decoded {
  readonly timeUnixNano?: string | number
  readonly severityNumber?: number
  readonly body?: { readonly stringValue?: string }
  readonly traceId?: string
  readonly spanId?: string
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Request {
  readonly resourceLogs?: readonly { readonly scopeLogs?: readonly { readonly logRecords?: readonly Decoded[] }[] }[]
}

/** Returns why requests do not contain the `count` records from `from` once and in order, or an empty list. */
export function problemsOfRequests(
  requests: readonly Uint8Array[],
  protocol: OtlpProtocol,
  expected: (index: number) => Expected,
  from: number,
  count: number,
): string[] {
  const records = requests.flatMap((request) => recordsOf(request, protocol))
  const problems = records.length === count ? [] : [`${records.length} records, but ${count} were expected`]
  for (const [index, record] of records.entries()) {
    const problem = problemOf(record, expected(from + index))
    if (problem !== undefined && problems.length < mostProblems) problems.push(`record ${from + index}: ${problem}`)
  }
  return problems
}

function recordsOf(bytes: Uint8Array, protocol: OtlpProtocol): readonly Decoded[] {
  const request = protocol === 'http/json' ? JSON.parse(Buffer.from(bytes).toString()) : decodeRequest(bytes)
  const { resourceLogs = [] } = request as Request
  return resourceLogs.flatMap(({ scopeLogs = [] }) => scopeLogs.flatMap(({ logRecords = [] }) => logRecords))
}

function problemOf(record: Decoded, { message, attributes, trace }: Expected): string | undefined {
  const { timeUnixNano, severityNumber, body } = record
  const age = Math.abs(Date.now() - Number(timeUnixNano) / 1e6)
  if (!(age < 600_000)) return `the time is ${timeUnixNano}`
  if (severityNumber !== 9) return `the severity is ${severityNumber}`
  if (body?.stringValue !== message) return `the body is ${JSON.stringify(body)}`
  if (record.traceId !== trace?.traceId || record.spanId !== trace?.spanId) return `the span is ${record.traceId}`
  const own = Object.fromEntries((record.attributes ?? []).map(({ key, value }) => [key, plain(value)]))
  return isDeepStrictEqual(own, attributes) ? undefined : `the attributes are ${JSON.stringify(own)}`
}

/** The official serializer writes 64-bit integers as JSON numbers. */
function plain({ intValue, ...value }: Readonly<Record<string, unknown>>): unknown {
  return intValue === undefined ? Object.values(value)[0] : Number(intValue)
}

import type { ServerResponse } from 'node:http'
import { levelOf } from '../../read/formats/levels.ts'
import { HttpError } from '../server/http-error.ts'
import type { LogStore } from '../store/log-store.ts'
import { completeView } from '../views/complete-view.ts'
import { levelClasses, levelClassOf } from '../views/level-classes.ts'
import { serviceOf, type ViewFilter } from '../views/view-filter.ts'
import { filterOf, numberIn } from './filter-parameters.ts'
import { followLogs } from './follow-logs.ts'
import { otlpLines } from './otlp-lines.ts'

const defaultLimit = 200
const maxLimit = 10_000
/** The maximum size of the records of a response in the store, unless it has one record. */
const maxBytes = 32 * 1024 * 1024

/**
 * Answers `GET /api/telemetry/logs`: the newest records that match, as OTLP/JSON, or with `follow=true` all of them and then new ones, one
 * request of OTLP/JSON in each line.
 *
 * @throws HttpError
 */
export async function answerTelemetryLogs(
  store: LogStore,
  parameters: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const filter = telemetryFilter(store, parameters)
  if (isTrue(parameters, 'follow')) return followLogs(store, filter, response)
  const limit = limitIn(parameters)
  const { rows } = await completeView(store, filter, () => response.destroyed)
  if (response.destroyed) return
  const lines = otlpLines(store, newest(store, rows.sequences, limit))
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({ data: { resourceLogs: merged(lines) }, totalCount: rows.length, returnedCount: lines.length }),
  )
}

/** Returns the last sequence numbers, of so many records that the response is not too large. */
function newest(store: LogStore, sequences: Float64Array, limit: number): Float64Array {
  let from = sequences.length
  for (let bytes = 0; from > 0 && sequences.length - from < limit; from--) {
    const place = store.placeOf(sequences[from - 1]!)
    if (place !== undefined) bytes += place.segment.ends[place.index]! - place.segment.startOf(place.index)
    if (bytes > maxBytes && from < sequences.length) break
  }
  return sequences.subarray(from)
}

interface ResourceLogs {
  readonly resource: object
  readonly scopeLogs: { readonly scope: object; readonly logRecords: object[] }[]
}

/** Returns the records of some requests with one record each. Consecutive records of one resource and scope are together. */
function merged(lines: readonly string[]): ResourceLogs[] {
  const all: ResourceLogs[] = []
  let last = ''
  for (const line of lines) {
    const [resourceLogs] = (JSON.parse(line) as { resourceLogs: [ResourceLogs] }).resourceLogs
    const [{ scope, logRecords }] = resourceLogs.scopeLogs as [ResourceLogs['scopeLogs'][number]]
    const source = JSON.stringify([resourceLogs.resource, scope])
    if (source === last) all.at(-1)!.scopeLogs[0]!.logRecords.push(...logRecords)
    else all.push(resourceLogs)
    last = source
  }
  return all
}

/** Returns the filter for the parameters `resource`, `severity`, `traceId` and `q`. */
function telemetryFilter(store: LogStore, parameters: URLSearchParams): ViewFilter {
  const filter = filterOf(new URLSearchParams({ q: parameters.get('q') ?? '' }))
  const resource = parameters.get('resource')
  const severity = parameters.get('severity')
  if (resource !== null && !Array.from(store.sources.used(), ([, source]) => serviceOf(source)).includes(resource))
    throw new HttpError(404, `resource: there are no records of '${resource}'`)
  return {
    ...filter,
    traceId: traceIdIn(parameters),
    services: resource === null ? undefined : new Set([resource]),
    levels: severity === null ? undefined : new Set(levelClasses.slice(firstClass(severity))),
  }
}

function traceIdIn(parameters: URLSearchParams): string | undefined {
  const traceId = parameters.get('traceId')?.toLowerCase()
  if (traceId !== undefined && !/^[\da-f]{32}$/.test(traceId))
    throw new HttpError(400, `traceId: '${traceId}' must have 32 hexadecimal digits`)
  return traceId
}

function firstClass(severity: string): number {
  // .NET has no level above `Critical`, which OpenTelemetry maps to `fatal`.
  const { severityNumber } = levelOf(severity.toLowerCase() === 'critical' ? 'fatal' : severity, 'names')
  if (severityNumber > 0) return levelClassOf(severityNumber)
  throw new HttpError(400, `severity: '${severity}' is not one of Trace, Debug, Information, Warning, Error, Critical`)
}

function limitIn(parameters: URLSearchParams): number {
  const limit = numberIn(parameters, 'limit') ?? defaultLimit
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) return limit
  throw new HttpError(400, `limit: '${limit}' is not an integer from 1 to ${maxLimit}`)
}

function isTrue(parameters: URLSearchParams, name: string): boolean {
  const text = parameters.get(name)?.toLowerCase() ?? 'false'
  if (text === 'true' || text === 'false') return text === 'true'
  throw new HttpError(400, `${name}: '${text}' is not true or false`)
}

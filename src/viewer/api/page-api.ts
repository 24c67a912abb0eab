import type { ServerResponse } from 'node:http'
import type { LogArchive } from '../database/log-archive.ts'
import { HttpError } from '../server/http-error.ts'
import { RequestLimit } from '../server/request-limit.ts'
import type { ViewSessions } from '../server/view-sessions.ts'
import { standardSeverities } from '../../record/severity.ts'
import type { LogStore } from '../store/log-store.ts'
import type { SpanStore } from '../store/span-store.ts'
import { histogramOf } from '../views/histogram.ts'
import { keysOf } from '../views/keys.ts'
import { LogView } from '../views/log-view.ts'
import { templateGroups } from '../views/template-groups.ts'
import { exportRecords } from './export-records.ts'
import { filterOf, numberIn } from './filter-parameters.ts'
import { olderRecordJson, olderRows } from './older-rows.ts'
import { recordJson } from './record-json.ts'
import { answerTelemetryLogs } from './telemetry-logs.ts'
import { rowBlock, rowsJson } from './row-json.ts'

const maxRows = 500
const maxIntervals = 400
const maxGroups = 500
const maxTraceRows = 5_000
/** Each keeps the rows of a view in memory. */
const maxLongRequests = 16

/** Answers the requests of the page: everything under `/api/` that only the page uses. */
export class PageApi {
  private readonly logs: LogStore
  private readonly spans: SpanStore
  private readonly sessions: ViewSessions
  private readonly archive: LogArchive | undefined
  private readonly limit = new RequestLimit(maxLongRequests)

  constructor(logs: LogStore, spans: SpanStore, sessions: ViewSessions, archive: LogArchive | undefined) {
    this.logs = logs
    this.spans = spans
    this.sessions = sessions
    this.archive = archive
  }

  /**
   * Answers a request. Returns the body of the response; undefined if it was answered otherwise.
   *
   * @param path - the path after `/api/`
   * @throws HttpError
   */
  async answer(path: string, parameters: URLSearchParams, response: ServerResponse): Promise<object | undefined> {
    if (path === 'live') {
      this.sessions.open(filterOf(parameters), newestIn(parameters), response)
      return undefined
    }
    if (path === 'export') {
      await this.limit.run(() => exportRecords(this.logs, parameters, response))
      return undefined
    }
    if (path === 'telemetry/logs') {
      await this.limit.run(() => answerTelemetryLogs(this.logs, parameters, response))
      return undefined
    }
    if (path === 'older') return this.limit.run(() => olderRows(this.archive, parameters, () => response.destroyed))
    if (path === 'rows') return this.rows(parameters)
    if (path === 'position') return this.position(parameters)
    if (path === 'next-error') return this.nextError(parameters)
    if (path === 'histogram') return this.histogram(parameters)
    if (path === 'keys') return keysOf(this.logs)
    if (path === 'templates') return templateGroups(this.logs, this.viewIn(parameters).rows).slice(0, maxGroups)
    if (path.startsWith('records/')) return this.record(Number(path.slice('records/'.length)))
    if (path.startsWith('traces/')) return this.trace(path.slice('traces/'.length))
    throw new HttpError(404, `there is no /api/${path}`)
  }

  private rows(parameters: URLSearchParams): object {
    const from = Math.max(0, required(parameters, 'from'))
    const count = Math.min(maxRows, required(parameters, 'count'))
    return rowBlock(this.logs, this.viewIn(parameters).rows, from, count)
  }

  private position(parameters: URLSearchParams): object {
    const { rows } = this.viewIn(parameters)
    const sequence = required(parameters, 'record')
    const place = this.logs.placeOf(sequence)
    // The rows of older records are removed from the start.
    const index = place === undefined ? 0 : rows.indexOf(place.segment.times[place.index]!, sequence)
    return { index, isInView: rows.sequences[index] === sequence }
  }

  /** Returns the position of the first record of the level error or above after a position, or before it. */
  private nextError(parameters: URLSearchParams): object {
    const { sequences, length } = this.viewIn(parameters).rows
    const step = required(parameters, 'direction') < 0 ? -1 : 1
    for (let index = Math.trunc(required(parameters, 'from')) + step; index >= 0 && index < length; index += step) {
      const place = this.logs.placeOf(sequences[index]!)
      if (place !== undefined && place.segment.severities[place.index]! >= standardSeverities.error) return { index }
    }
    return { index: null }
  }

  private histogram(parameters: URLSearchParams): object {
    const { rows } = this.viewIn(parameters)
    const from = numberIn(parameters, 'from') ?? rows.times[0] ?? 0
    // The last row is in the last interval.
    const until = numberIn(parameters, 'until') ?? (rows.times.at(-1) ?? 0) + 1
    if (until <= from) throw new HttpError(400, 'until must be after from')
    const intervals = Math.min(maxIntervals, Math.max(1, Math.trunc(numberIn(parameters, 'intervals') ?? 60)))
    return histogramOf(rows, from, until, intervals)
  }

  private record(sequence: number): object {
    if (sequence < 0) return olderRecordJson(this.archive, sequence)
    const place = Number.isSafeInteger(sequence) ? this.logs.placeOf(sequence) : undefined
    if (place === undefined) throw new HttpError(404, 'the record was removed')
    const { segment, index } = place
    return recordJson(sequence, segment.times[index]!, this.logs.readAt(segment, index))
  }

  private trace(id: string): object {
    const view = new LogView(this.logs, filterOf(new URLSearchParams({ trace: id })))
    view.update(() => false)
    return {
      spans: this.spans.ofTrace(id),
      total: view.rows.length,
      rows: rowsJson(this.logs, view.rows.sequences.subarray(0, maxTraceRows)),
    }
  }

  private viewIn(parameters: URLSearchParams): LogView {
    return this.sessions.viewOf(required(parameters, 'view'))
  }
}

/** Returns how many of the newest rows come with the first states of a view. */
function newestIn(parameters: URLSearchParams): number {
  return Math.min(maxRows, Math.max(0, numberIn(parameters, 'newest') ?? 0))
}

function required(parameters: URLSearchParams, name: string): number {
  const number = numberIn(parameters, name)
  if (number === undefined) throw new HttpError(400, `${name} is missing`)
  return number
}

import type { ServerResponse } from 'node:http'
import { OtlpOutput } from '../../output/otlp-output.ts'
import { levelOf } from '../../read/formats/levels.ts'
import { HttpError } from '../server/http-error.ts'
import type { LogStore } from '../store/log-store.ts'
import { completeView } from '../views/complete-view.ts'
import { levelClasses, levelClassOf } from '../views/level-classes.ts'
import { LogView } from '../views/log-view.ts'
import { serviceOf, type ViewFilter } from '../views/view-filter.ts'
import { filterOf, numberIn } from './filter-parameters.ts'
import { ResponseWriter } from './response-writer.ts'

const defaultLimit = 200
const maxLimit = 10_000
/** The time between two looks for new records, in ms. */
const followMillis = 100

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
  if (parameters.get('follow') === 'true') return followLogs(store, filter, response)
  const limit = Math.min(maxLimit, Math.max(1, numberIn(parameters, 'limit') ?? defaultLimit))
  const { rows } = await completeView(store, filter)
  const lines = new TextLines()
  const output = otlpOutput(lines)
  const returnedCount = writeRows(store, rows.sequences.subarray(-limit), output)
  output.end()
  const resourceLogs = lines.text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => (JSON.parse(line) as { resourceLogs: object[] }).resourceLogs)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: { resourceLogs }, totalCount: rows.length, returnedCount }))
}

async function followLogs(store: LogStore, filter: ViewFilter, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.flushHeaders()
  const writer = new ResponseWriter(response)
  let view = await completeView(store, filter)
  while (!writer.isClosed) {
    const output = otlpOutput(writer)
    writeRows(store, view.rows.sequences, output)
    output.end()
    await writer.ready()
    await new Promise((resolve) => {
      setTimeout(resolve, followMillis)
    })
    view = new LogView(store, filter, view.testedUntil)
    view.update(() => false)
  }
}

function writeRows(store: LogStore, sequences: Float64Array, output: OtlpOutput): number {
  let count = 0
  for (const sequence of sequences) {
    const place = store.placeOf(sequence)
    if (place === undefined) continue
    output.record(store.readAt(place.segment, place.index))
    count++
  }
  return count
}

/** Returns the filter for the parameters `resource`, `severity`, `traceId` and `q`. */
function telemetryFilter(store: LogStore, parameters: URLSearchParams): ViewFilter {
  const filter = filterOf(new URLSearchParams({ q: parameters.get('q') ?? '', ...traceIn(parameters) }))
  const resource = parameters.get('resource')
  const severity = parameters.get('severity')
  if (resource !== null && !Array.from(store.sources.used(), ([, source]) => serviceOf(source)).includes(resource))
    throw new HttpError(404, `resource: there is no '${resource}'`)
  return {
    ...filter,
    services: resource === null ? undefined : new Set([resource]),
    levels: severity === null ? undefined : new Set(levelClasses.slice(firstClass(severity))),
  }
}

function traceIn(parameters: URLSearchParams): { trace?: string } {
  const trace = parameters.get('traceId')
  return trace === null ? {} : { trace }
}

function firstClass(severity: string): number {
  const { severityNumber } = levelOf(severity, 'names')
  if (severityNumber > 0) return levelClassOf(severityNumber)
  throw new HttpError(400, `severity: '${severity}' is not one of Trace, Debug, Information, Warning, Error, Critical`)
}

function otlpOutput(writer: OutputWriter): OtlpOutput {
  const device = { key: 'response', workingDirectory: '', columns: () => Infinity }
  return new OtlpOutput({ format: 'otlp', writer, device, isTerminal: false, usesColors: false, files: [] })
}

type OutputWriter = ConstructorParameters<typeof OtlpOutput>[0]['writer']

/** Keeps what is written as text. */
class TextLines implements OutputWriter {
  readonly isClosed = false
  text = ''

  write(text: string): void {
    this.text += text
  }
  writeBytes(bytes: Uint8Array): void {
    this.text += Buffer.from(bytes).toString()
  }
  flush(): void {
    // Everything is written already.
  }
  async close(): Promise<void> {
    // There is nothing to close.
  }
}

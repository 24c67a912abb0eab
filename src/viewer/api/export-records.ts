import type { ServerResponse } from 'node:http'
import { createOutput } from '../../output/create-output.ts'
import { RecordRedactor } from '../../output/record-redactor.ts'
import type { TextWriter } from '../../output/text-writer.ts'
import type { ReadRecord } from '../../read/record.ts'
import { patternPresets, type PatternPresetName } from '../../redact/patterns/presets.ts'
import { HttpError } from '../server/http-error.ts'
import type { LogStore } from '../store/log-store.ts'
import { completeView } from '../views/complete-view.ts'
import { filterOf } from './filter-parameters.ts'
import { HtmlOutput, maxHtmlRecords } from './html-output.ts'
import { ResponseWriter } from './response-writer.ts'

/** A format of a file. */
interface ExportFormat {
  readonly type: string
  readonly extension: string
}

const formats: ReadonlyMap<string, ExportFormat> = new Map([
  ['otlp', { type: 'application/x-ndjson', extension: 'jsonl' }],
  ['text', { type: 'text/plain; charset=utf-8', extension: 'log' }],
  ['html', { type: 'text/html; charset=utf-8', extension: 'html' }],
])

/** The trailer of a response with the number of records that were removed from memory before they were written. */
export const removedTrailer = 'sluice-removed-records'

/** How long records are written before other work of the process continues, in ms. */
const sliceMillis = 15
/** What the client has not received yet, in bytes, before the export waits. */
const maxWaitingBytes = 1_048_576

/**
 * Sends the records of a filter as a file: lines of OTLP/JSON, text, or a page that contains everything it needs. A page has only the newest
 * records.
 *
 * @throws HttpError
 */
export async function exportRecords(
  store: LogStore,
  parameters: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const name = parameters.get('format') ?? 'otlp'
  const format = formats.get(name)
  if (format === undefined)
    throw new HttpError(400, `format: '${name}' is not one of ${[...formats.keys()].join(', ')}`)
  const rules = redactionRules(parameters)
  const { rows } = await completeView(store, filterOf(parameters), () => response.destroyed)
  if (response.destroyed) return
  const sequences = name === 'html' ? rows.sequences.slice(-maxHtmlRecords) : rows.sequences.slice()
  response.writeHead(200, {
    'content-type': format.type,
    'content-disposition': `attachment; filename="${fileName(new Date(), format)}"`,
    trailer: removedTrailer,
  })
  const writer = new ResponseWriter(response)
  const output = name === 'html' ? new HtmlOutput(writer, rows.length) : outputOf(name, writer)
  const removed = await writeRecords(store, sequences, rules, output, writer)
  response.addTrailers({ [removedTrailer]: String(removed) })
  await writer.close()
}

/** What records are written to. */
interface RecordOutput {
  record(record: ReadRecord): void
  end(): void
}

/** Writes records. Returns how many of them were removed meanwhile. */
async function writeRecords(
  store: LogStore,
  sequences: Float64Array,
  rules: readonly PatternPresetName[],
  output: RecordOutput,
  writer: ResponseWriter,
): Promise<number> {
  const redactor = rules.length === 0 ? undefined : new RecordRedactor(rules)
  let removed = 0
  let sliceEnd = performance.now() + sliceMillis
  for (const sequence of sequences) {
    const place = store.placeOf(sequence)
    if (place === undefined) removed++
    else {
      const record = store.readAt(place.segment, place.index)
      output.record(redactor === undefined ? record : redactor.redact(record))
    }
    if (writer.waitingBytes > maxWaitingBytes) await writer.ready()
    else if (performance.now() < sliceEnd) continue
    if (writer.isClosed) return removed
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    sliceEnd = performance.now() + sliceMillis
  }
  output.end()
  return removed
}

/** Returns the name of the file, such as `records-2026-11-27T17-56-23Z.jsonl`. */
function fileName(now: Date, { extension }: ExportFormat): string {
  return `records-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.${extension}`
}

function outputOf(format: string, writer: TextWriter): RecordOutput {
  return createOutput({
    format: format === 'otlp' ? 'otlp' : 'line',
    writer,
    device: { key: 'file', workingDirectory: '', columns: () => Infinity },
    isTerminal: false,
    usesColors: false,
    files: [],
    time: format === 'otlp' ? undefined : 'iso',
  })
}

function redactionRules(parameters: URLSearchParams): PatternPresetName[] {
  const names = (parameters.get('redact') ?? '').split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !Object.hasOwn(patternPresets, name))
  if (unknown !== undefined)
    throw new HttpError(400, `redact: '${unknown}' is not one of ${Object.keys(patternPresets).join(', ')}`)
  return names as PatternPresetName[]
}

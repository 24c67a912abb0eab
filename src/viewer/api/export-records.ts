import type { ServerResponse } from 'node:http'
import { createOutput } from '../../output/create-output.ts'
import { RecordRedactor } from '../../output/record-redactor.ts'
import { patternPresets, type PatternPresetName } from '../../redact/patterns/presets.ts'
import { HttpError } from '../server/http-error.ts'
import type { LogStore } from '../store/log-store.ts'
import { completeView } from '../views/complete-view.ts'
import { filterOf } from './filter-parameters.ts'
import { HtmlOutput } from './html-output.ts'
import { ResponseWriter } from './response-writer.ts'

const types: ReadonlyMap<string, string> = new Map([
  ['otlp', 'application/x-ndjson'],
  ['text', 'text/plain; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
])

/** How many records are written before the client must have received them. */
const stepRecords = 1_000

/**
 * Sends the records of a filter as a file: lines of OTLP/JSON, text, or a page that contains everything it needs.
 *
 * @throws HttpError
 */
export async function exportRecords(
  store: LogStore,
  parameters: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const format = parameters.get('format') ?? 'otlp'
  const type = types.get(format)
  if (type === undefined) throw new HttpError(400, `format: '${format}' is not one of ${[...types.keys()].join(', ')}`)
  const rules = redactionRules(parameters)
  const { rows } = await completeView(store, filterOf(parameters))
  response.writeHead(200, { 'content-type': type, 'content-disposition': 'attachment' })
  const writer = new ResponseWriter(response)
  const redactor = rules.length === 0 ? undefined : new RecordRedactor(rules)
  const output = format === 'html' ? new HtmlOutput(writer, rows.length) : outputOf(format, writer)
  const { sequences } = rows
  for (let index = 0; index < sequences.length && !writer.isClosed; index++) {
    const place = store.placeOf(sequences[index]!)
    // It was removed meanwhile.
    if (place === undefined) continue
    const record = store.readAt(place.segment, place.index)
    output.record(redactor === undefined ? record : redactor.redact(record))
    if (index % stepRecords === 0) await writer.ready()
  }
  output.end()
  await writer.close()
}

function outputOf(format: string, writer: ResponseWriter): ReturnType<typeof createOutput> {
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

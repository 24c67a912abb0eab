import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { capturingExporter, type CapturingExporter } from '../../support/files/test-logger.ts'
import { decodeRequest } from '../../support/otlp/messages.ts'

/** An OTLP/JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Each OTLP format: its name, a function that creates an exporter, and one that decodes the output of the exporter. */
export const formats: [string, () => CapturingExporter, (keeper: CapturingExporter) => Json[]][] = [
  [
    'lines of OTLP/JSON',
    () => capturingExporter(otlpJsonLines()),
    (keeper) => keeper.lines().map((line) => JSON.parse(line) as Json),
  ],
  ['http/json', () => capturingExporter(otlpEncoding('http/json')), (keeper) => [JSON.parse(keeper.text()) as Json]],
  [
    'http/protobuf',
    () => capturingExporter(otlpEncoding('http/protobuf')),
    (keeper) => [decodeRequest(keeper.bytes())],
  ],
]

/** Returns the records of a request. */
export function recordsOf(request: Json): Json[] {
  const { resourceLogs } = request as { resourceLogs: { scopeLogs: { logRecords: Json[] }[] }[] }
  return resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
}

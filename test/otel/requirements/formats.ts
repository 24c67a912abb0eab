import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { lineKeeper, type LineKeeper } from '../../support/files/line-keeper.ts'
import { decodeRequest } from '../../support/otlp/messages.ts'

/** An object of OTLP/JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Each format of OTLP: its name, an exporter that keeps its output, and how that is read. */
export const formats: [string, () => LineKeeper, (keeper: LineKeeper) => Json[]][] = [
  [
    'lines of OTLP/JSON',
    () => lineKeeper(otlpJsonLines()),
    (keeper) => keeper.lines().map((line) => JSON.parse(line) as Json),
  ],
  ['http/json', () => lineKeeper(otlpEncoding('http/json')), (keeper) => [JSON.parse(keeper.text()) as Json]],
  ['http/protobuf', () => lineKeeper(otlpEncoding('http/protobuf')), (keeper) => [decodeRequest(keeper.bytes())]],
]

/** The records of a request. */
export function recordsOf(request: Json): Json[] {
  const { resourceLogs } = request as { resourceLogs: { scopeLogs: { logRecords: Json[] }[] }[] }
  return resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
}

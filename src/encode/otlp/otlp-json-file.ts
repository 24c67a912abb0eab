import { otlpJsonResource, otlpJsonScope } from './otlp-json-source.ts'
import { resourceRuns, type RecordRun } from './otlp-request.ts'

const encoder = new TextEncoder()

/**
 * A line of the OpenTelemetry File Exporter (FIL1) that holds records of the encoding `otlp:http/json`, in parts. The records
 * stand in front of who speaks: readers tell files apart by how they begin (FIL6).
 */
export function otlpJsonFileLine(bytes: Uint8Array, sources: readonly RecordRun[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let text = '{"resourceLogs":['
  for (const [index, { resource, runs }] of resourceRuns(bytes, sources).entries()) {
    text += `${index === 0 ? '' : ','}{"scopeLogs":[`
    for (const [place, run] of runs.entries()) {
      text += `${place === 0 ? '' : ','}{"logRecords":[`
      // Each record ends in a comma.
      parts.push(encoder.encode(text), run.bytes.subarray(0, run.bytes.length - 1))
      text = `],${otlpJsonScope(run.scope)}}`
    }
    text += `],${otlpJsonResource(resource)}}`
  }
  parts.push(encoder.encode(text + ']}\n'))
  return parts
}

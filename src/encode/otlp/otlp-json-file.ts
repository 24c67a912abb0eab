import { otlpJsonResource, otlpJsonScope } from './otlp-json-source.ts'
import { resourceRuns, type RecordRun } from './resource-runs.ts'

const encoder = new TextEncoder()

/**
 * Returns a line of the OpenTelemetry File Exporter (FIL1) with records in the encoding `otlp:http/json`, in parts. The records come before
 * the scope and the resource, because readers identify a file by its first bytes (FIL6).
 */
export function otlpJsonFileLine(bytes: Uint8Array, sources: readonly RecordRun[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let text = '{"resourceLogs":['
  for (const [index, { resource, runs }] of resourceRuns(bytes, sources).entries()) {
    text += `${index === 0 ? '' : ','}{"scopeLogs":[`
    for (const [runIndex, run] of runs.entries()) {
      text += `${runIndex === 0 ? '' : ','}{"logRecords":[`
      // Each record ends with a comma.
      parts.push(encoder.encode(text), run.bytes.subarray(0, run.bytes.length - 1))
      text = `],${otlpJsonScope(run.scope)}}`
    }
    text += `],${otlpJsonResource(resource)}}`
  }
  parts.push(encoder.encode(text + ']}\n'))
  return parts
}

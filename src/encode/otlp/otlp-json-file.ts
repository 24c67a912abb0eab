import { otlpJsonResourceMembers, otlpJsonScopeMembers } from './otlp-json-source.ts'
import { splitByResource, type RecordRun } from './resource-runs.ts'

const encoder = new TextEncoder()

/**
 * Returns a line of the OpenTelemetry File Exporter with records in the encoding `otlp:http/json`, in parts. The records precede the scope
 * and the resource, because the Collector's receiver identifies a file by its first 1,000 bytes, which must therefore differ from those of
 * other files.
 *
 * @param bytes - the records, each with a comma at its end
 * @param recordRuns - the scopes and resources of the records, in order
 */
export function otlpJsonFileLine(bytes: Uint8Array, recordRuns: readonly RecordRun[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let text = '{"resourceLogs":['
  for (const [index, { resource, scopeRuns }] of splitByResource(bytes, recordRuns).entries()) {
    text += `${index === 0 ? '' : ','}{"scopeLogs":[`
    for (const [runIndex, run] of scopeRuns.entries()) {
      text += `${runIndex === 0 ? '' : ','}{"logRecords":[`
      // Each record ends with a comma.
      parts.push(encoder.encode(text), run.bytes.subarray(0, run.bytes.length - 1))
      text = `],${otlpJsonScopeMembers(run.scope)}}`
    }
    text += `],${otlpJsonResourceMembers(resource)}}`
  }
  parts.push(encoder.encode(text + ']}\n'))
  return parts
}

import { otlpJsonResource, otlpJsonScope } from './otlp-json-source.ts'
import type { ResourceRun } from './otlp-request.ts'

const encoder = new TextEncoder()

/** Returns an ExportLogsServiceRequest in JSON (JS1), in parts. Each record ends with a comma. */
export function jsonRequest(resources: readonly ResourceRun[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let text = '{"resourceLogs":['
  for (const [index, { resource, runs }] of resources.entries()) {
    text += `${index === 0 ? '' : ','}{${otlpJsonResource(resource)},"scopeLogs":[`
    for (const [runIndex, { scope, bytes }] of runs.entries()) {
      text += `${runIndex === 0 ? '' : ','}{${otlpJsonScope(scope)},"logRecords":[`
      parts.push(encoder.encode(text), bytes.subarray(0, bytes.length - 1))
      text = ']}'
    }
    text += ']}'
  }
  parts.push(encoder.encode(text + ']}'))
  return parts
}

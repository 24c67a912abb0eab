import { performance } from 'node:perf_hooks'
import type { ExporterHost } from '../../../src/pipeline/exporter.ts'

/** A host that records the reported diagnostics. */
export interface RecordingHost extends ExporterHost {
  readonly diagnostics: { readonly code: string; readonly message: string }[]
}

/** Creates a host with the real clock or the given one. */
export function recordingHost(monotonic: () => number = () => performance.now()): RecordingHost {
  const diagnostics: { code: string; message: string }[] = []
  return {
    diagnostics,
    reportDiagnostic: (code, message) => diagnostics.push({ code, message }),
    monotonic,
    exitTimeoutMillis: 2_000,
  }
}

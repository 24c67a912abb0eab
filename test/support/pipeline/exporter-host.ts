import { performance } from 'node:perf_hooks'
import type { ExporterHost } from '../../../src/pipeline/exporter.ts'

/** A host that keeps what it is told. */
export interface RecordingHost extends ExporterHost {
  readonly problems: { readonly code: string; readonly message: string }[]
}

/** Makes a host with the real clock, or one that is handed in. */
export function recordingHost(monotonic: () => number = () => performance.now()): RecordingHost {
  const problems: { code: string; message: string }[] = []
  return {
    problems,
    reportDiagnostic: (code, message) => problems.push({ code, message }),
    monotonic,
    exitTimeoutMillis: 2_000,
  }
}

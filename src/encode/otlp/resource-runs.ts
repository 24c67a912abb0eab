import type { InstrumentationSource } from '../../record/instrumentation-source.ts'

/** Consecutive records with the same scope and resource. */
export interface RecordRun extends InstrumentationSource {
  /** The size of the records in bytes. */
  readonly byteLength: number
}

/** Consecutive records with the same resource, by identity. */
export interface ResourceRun {
  readonly resource: InstrumentationSource['resource']
  readonly runs: readonly { readonly scope: InstrumentationSource['scope']; readonly bytes: Uint8Array }[]
}

/** Groups the bytes of a batch by resource and scope. */
export function resourceRuns(bytes: Uint8Array, sources: readonly RecordRun[]): ResourceRun[] {
  const all: {
    resource: InstrumentationSource['resource']
    runs: { scope: InstrumentationSource['scope']; bytes: Uint8Array }[]
  }[] = []
  let from = 0
  for (const { scope, resource, byteLength } of sources) {
    const run = { scope, bytes: bytes.subarray(from, (from += byteLength)) }
    const last = all.at(-1)
    if (last?.resource === resource) last.runs.push(run)
    else all.push({ resource, runs: [run] })
  }
  return all
}

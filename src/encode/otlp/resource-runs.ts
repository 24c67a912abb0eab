import type { InstrumentationSource } from '../../record/instrumentation-source.ts'

/** Consecutive records of a batch with the same scope and resource objects. */
export interface RecordRun extends InstrumentationSource {
  /** The size of the records in bytes. */
  readonly byteLength: number
}

/** Consecutive records of a batch with the same resource object. */
export interface ResourceRun {
  readonly resource: InstrumentationSource['resource']
  /** These records in order: for each series of records with the same scope, the scope and the bytes. */
  readonly scopeRuns: readonly { readonly scope: InstrumentationSource['scope']; readonly bytes: Uint8Array }[]
}

/**
 * Splits the bytes of a batch where the resource changes, and within that where the scope changes.
 *
 * @param recordRuns - all records of the batch, in order
 */
export function splitByResource(bytes: Uint8Array, recordRuns: readonly RecordRun[]): ResourceRun[] {
  const resourceRuns: {
    resource: InstrumentationSource['resource']
    scopeRuns: { scope: InstrumentationSource['scope']; bytes: Uint8Array }[]
  }[] = []
  let from = 0
  for (const { scope, resource, byteLength } of recordRuns) {
    const run = { scope, bytes: bytes.subarray(from, (from += byteLength)) }
    const last = resourceRuns.at(-1)
    if (last?.resource === resource) last.scopeRuns.push(run)
    else resourceRuns.push({ resource, scopeRuns: [run] })
  }
  return resourceRuns
}

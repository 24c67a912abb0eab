import { define } from '../options/define-member.ts'

/** A recorder that holds records by request. */
export interface RequestRecorder {
  /** Discards the records of a request that has ended. Must not throw. */
  endRequest(request: object): void
}

/** A request as recorders use it. */
export interface RecordedRequest {
  /** Whether the request has ended. Undefined in requests of older copies of this package. */
  readonly hasEnded?: boolean
}

/**
 * The recorders that hold records by request. All copies of this package in a process share this object, so its members change only
 * together with the `v1` in its key.
 */
export interface RequestRecorders {
  /** The request whose own record is being written, outside of its context; undefined at any other time. */
  completing: object | undefined
  /** Weak references, so that a logger can be garbage collected. */
  readonly recorders: Set<WeakRef<RequestRecorder>>
}

const registryKey: unique symbol = Symbol.for('sluice/v1/request-recorders') as never
const shared = globalThis as { [registryKey]?: RequestRecorders }

/** Adds a recorder. Returns a function that removes it, which does not refer to the recorder. */
export function addRequestRecorder(recorder: RequestRecorder): () => void {
  if (shared[registryKey] === undefined) {
    const value: RequestRecorders = { completing: undefined, recorders: new Set() }
    define(shared, registryKey, { value: Object.seal(value) })
  }
  const { recorders } = shared[registryKey]!
  const reference = new WeakRef(recorder)
  recorders.add(reference)
  return () => void recorders.delete(reference)
}

/** Returns the request whose own record is being written; undefined at any other time. */
export function completingRequest(): object | undefined {
  return shared[registryKey]?.completing
}

/**
 * Ends a request for all recorders.
 *
 * @param writeRecord - writes the request's own record, which can release the held ones; without it, the request has no record
 */
export function endRequest(request: object, writeRecord: () => void = () => {}): void {
  const registry = shared[registryKey]
  if (registry === undefined || registry.recorders.size === 0) return writeRecord()
  const outer = registry.completing
  registry.completing = request
  try {
    writeRecord()
  } finally {
    registry.completing = outer
    for (const reference of registry.recorders) reference.deref()?.endRequest(request)
  }
}

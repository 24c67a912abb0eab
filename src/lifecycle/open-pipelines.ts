import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import { define } from '../options/define-member.ts'

/**
 * The methods that all copies of this package in a process use on each other's pipelines. They change only together with the `v1`
 * in the key.
 */
type OpenPipeline = Pick<BatchProcessor, 'flush' | 'drain'> & {
  /** Whether it writes records to the pipelines, and is therefore flushed before them. */
  readonly isSource?: true
}

/** The open pipelines of the process. */
interface OpenPipelines {
  add(pipeline: OpenPipeline): void
  delete(pipeline: OpenPipeline): void
  all(): OpenPipeline[]
}

const registryKey = Symbol.for('sluice/v1/pipelines')

/**
 * Returns the open pipelines of this process, from all copies of this package. The registry references them weakly; a pipeline that
 * can be garbage collected has no queued records.
 */
export function openPipelines(): OpenPipelines {
  const shared = globalThis as { [registryKey]?: OpenPipelines }
  if (shared[registryKey] === undefined) define(shared, registryKey, { value: Object.freeze(weakRegistry()) })
  return shared[registryKey]!
}

/** Waits until all records that are queued now have left the pipelines of the process, at most `timeoutMillis`. Never rejects. */
export async function flushPipelines(timeoutMillis: number): Promise<void> {
  const pipelines = sourcesFirst()
  await Promise.allSettled(pipelines.map((pipeline) => pipeline.flush(timeoutMillis)))
}

/**
 * Exports the queued records of all pipelines without the event loop. Never throws.
 *
 * @param now - current time of the clock of `deadline`, in ms
 * @param deadline - time until which to export, in ms
 */
export function drainPipelines({ now, deadline }: { readonly now: number; readonly deadline: number }): void {
  const pipelines = sourcesFirst()
  // With several pipelines, first let each write what does not block (until `now`), so that a stalled destination does not use up the
  // time of the others. `drain` gets false because the process does not exit: records that cannot be written stay queued.
  for (const until of pipelines.length > 1 ? [now, deadline] : [deadline]) {
    for (const pipeline of pipelines) {
      try {
        pipeline.drain(until, false)
      } catch {
        // The stack is exhausted; the records stay queued.
      }
    }
  }
}

function sourcesFirst(): OpenPipeline[] {
  return openPipelines()
    .all()
    .toSorted((a, b) => Number(b.isSource ?? false) - Number(a.isSource ?? false))
}

/**
 * Creates a registry with weak references, which does not keep loggers alive that are dropped without `shutdown()`, such as those
 * of tests.
 */
function weakRegistry(): OpenPipelines {
  const references = new Set<WeakRef<OpenPipeline>>()
  const referenceOf = new WeakMap<OpenPipeline, WeakRef<OpenPipeline>>()
  const finalization = new FinalizationRegistry<WeakRef<OpenPipeline>>((reference) => references.delete(reference))
  return {
    add(pipeline) {
      const reference = new WeakRef(pipeline)
      references.add(reference)
      referenceOf.set(pipeline, reference)
      finalization.register(pipeline, reference)
    },
    delete(pipeline) {
      const reference = referenceOf.get(pipeline)
      if (reference !== undefined) references.delete(reference)
    },
    all: () => [...references].flatMap((reference) => reference.deref() ?? []),
  }
}

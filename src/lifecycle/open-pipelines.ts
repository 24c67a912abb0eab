import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import { define } from '../options/define-member.ts'

/** What all copies of this package in a process can do with each other's pipelines: its shape changes only with the `v1`. */
type OpenPipeline = Pick<BatchProcessor, 'flush' | 'drain'>

interface OpenPipelines {
  add(pipeline: OpenPipeline): void
  delete(pipeline: OpenPipeline): void
  all(): OpenPipeline[]
}

const place = Symbol.for('sluice/v1/pipelines')

/** The pipelines of this process that are open, whoever made them. One that nobody holds any more has nothing that waits. */
export function openPipelines(): OpenPipelines {
  const shared = globalThis as { [place]?: OpenPipelines }
  if (shared[place] === undefined) define(shared, place, { value: Object.freeze(weakly()) })
  return shared[place]!
}

/** Waits until what is here now has left all pipelines of the process, at most `timeoutMillis`. Never rejects. */
export async function flushPipelines(timeoutMillis: number): Promise<void> {
  const pipelines = openPipelines().all()
  await Promise.allSettled(pipelines.map((pipeline) => pipeline.flush(timeoutMillis)))
}

/** The same without the event loop, until `deadline` of a clock that says `now`, both in ms. Never throws. */
export function drainPipelines(now: number, deadline: number): void {
  const pipelines = openPipelines().all()
  // First what needs no waiting, so that a dead destination does not use up the time of the others.
  for (const until of pipelines.length > 1 ? [now, deadline] : [deadline]) {
    for (const pipeline of pipelines) {
      try {
        pipeline.drain(until, false)
      } catch {
        // an exhausted stack; the records wait in their queues
      }
    }
  }
}

/** A logger that is forgotten without `shutdown()`, as one of a test is, is not kept here. */
function weakly(): OpenPipelines {
  const references = new Set<WeakRef<OpenPipeline>>()
  const known = new WeakMap<OpenPipeline, WeakRef<OpenPipeline>>()
  const forgotten = new FinalizationRegistry<WeakRef<OpenPipeline>>((reference) => references.delete(reference))
  return {
    add(pipeline) {
      const reference = new WeakRef(pipeline)
      references.add(reference)
      known.set(pipeline, reference)
      forgotten.register(pipeline, reference)
    },
    delete(pipeline) {
      const reference = known.get(pipeline)
      if (reference !== undefined) references.delete(reference)
    },
    all: () => [...references].flatMap((reference) => reference.deref() ?? []),
  }
}

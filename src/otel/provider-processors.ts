import { onRejection } from '../record/disown-promise.ts'
import type { LogRecord, Resource, Scope } from '../record/record.ts'
import type { OnProblem } from '../record/problems.ts'
import { delay } from '../runtime/end-of-turn.ts'
import { apiAttributes } from './api-value.ts'
import { EditableRecord } from './editable-record.ts'
import { activeContext } from './span-context.ts'
import type { OtelContext, OtelLogRecordProcessor, OtelResource, OtelScope } from './types.ts'

/** Takes a record through processors; undefined where there are none. */
export type Processing = (record: LogRecord, context: OtelContext | undefined, now: number) => LogRecord

/**
 * Has each record of a scope go through somebody's processors, in their order, before it is encoded (PRO1). What one of
 * them throws is told, and costs nothing but what it would have done (D4).
 */
export function processing(
  processors: readonly OtelLogRecordProcessor[],
  scope: Scope,
  resource: Resource,
  tell: OnProblem,
): Processing | undefined {
  if (processors.length === 0) return undefined
  const otelScope = scopeView(scope)
  const otelResource = resourceView(resource)
  return (record, context, now) => {
    const editable = new EditableRecord(record, otelScope, otelResource)
    const current = context ?? activeContext()
    for (const processor of processors) {
      try {
        const answer: unknown = processor.onEmit(editable, current)
        if (answer !== undefined) onRejection(answer, () => tell(processorFailed))
      } catch {
        tell(processorFailed)
      }
    }
    return editable.result(now)
  }
}

/** Asks all processors at once, and waits for them, at most so long. Returns whether all have done it. Never rejects. */
export async function allProcessors(
  processors: readonly OtelLogRecordProcessor[],
  timeoutMillis: number,
  ask: (processor: OtelLogRecordProcessor) => PromiseLike<unknown> | undefined,
): Promise<boolean> {
  if (processors.length === 0) return true
  // One that fails must not cut short the others.
  const all = Promise.allSettled(processors.map(async (processor) => ask(processor)))
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = delay(timeoutMillis, () => resolve(false))
  timer.keepAlive(true)
  void all.then((settled) => resolve(settled.every(({ status }) => status === 'fulfilled')))
  const done = await promise
  timer.cancel()
  return done
}

/** Processors may know a scope by its identity: there is one of these for each. */
function scopeView({ name, version, schemaUrl, attributes, droppedAttributes }: Scope): OtelScope {
  return Object.freeze({
    name: name ?? '',
    ...(version === undefined ? {} : { version }),
    ...(schemaUrl === undefined ? {} : { schemaUrl }),
    ...(attributes === undefined ? {} : { attributes: apiAttributes(attributes) }),
    ...(droppedAttributes === undefined ? {} : { droppedAttributesCount: droppedAttributes }),
  })
}

const views = new WeakMap<Resource, OtelResource>()

/** What it has attributes of may come later: they are looked up when they are asked for. */
function resourceView(resource: Resource): OtelResource {
  const known = views.get(resource)
  if (known !== undefined) return known
  const view: OtelResource = {
    get attributes() {
      return apiAttributes(resource.attributes)
    },
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
    asyncAttributesPending: false,
  }
  views.set(resource, view)
  return view
}

const processorFailed = {
  code: 'SLUICE_PROCESSOR_FAILED',
  message: 'a processor of the provider threw; the record goes on without what it would have done',
}

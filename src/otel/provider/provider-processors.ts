import type { LogRecord, Resource, Scope } from '../../record/record.ts'
import { disownPromise, onRejection } from '../../options/observe-promise.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Rules } from '../../values/record-rules.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { apiAttributes } from '../api/api-value.ts'
import { EditableRecord } from '../api/editable-record.ts'
import type { ResourceReadiness } from './resource-readiness.ts'
import { activeContext } from '../api/span-context.ts'
import type {
  EnabledOptions,
  OtelContext,
  OtelLogRecordProcessor,
  OtelResource,
  OtelScope,
  ProcessorEnabledOptions,
} from '../api/types.ts'
import { member, membersOf } from '../../options/own-members.ts'

/** The processors of a provider as the logger of one scope uses them. */
export interface Processing {
  /** Takes a record through all of them. */
  take(record: LogRecord, context: OtelContext | undefined, now: number): LogRecord
  /** Whether one of them would do something with such a record (SDK10). */
  isEnabled(options: EnabledOptions | undefined): boolean
}

/** What the processors of all scopes have in common. */
export interface ProcessingSettings {
  readonly processors: readonly OtelLogRecordProcessor[]
  readonly resource: Resource
  readonly settlement: ResourceReadiness
  readonly rules: Rules
  readonly reportDiagnostic: OnDiagnostic
}

/**
 * Has each record of a scope go through the application's processors, in their order, before it is encoded (PRO1). What one of
 * them throws is reported, and costs nothing but what it would have done (D4). undefined where there are none.
 */
export function processing(scope: Scope, settings: ProcessingSettings): Processing | undefined {
  const { processors, resource, settlement, rules, reportDiagnostic } = settings
  if (processors.length === 0) return undefined
  const instrumentationScope = scopeView(scope)
  const otelResource = resourceView(resource, settlement)
  return {
    take(record, context, now) {
      const editable = new EditableRecord(record, instrumentationScope, otelResource, rules)
      const current = context ?? activeContext()
      for (const [index, processor] of processors.entries()) {
        try {
          if (index > 0) editable.limitAttributes()
          const answer: unknown = processor.onEmit(editable, current)
          if (answer !== undefined) onRejection(answer, () => reportDiagnostic(processorFailed))
        } catch {
          reportDiagnostic(processorFailed)
        }
      }
      return editable.result(now)
    },
    isEnabled(options) {
      const given = membersOf(options ?? {}, ['context', 'severityNumber', 'eventName'])
      const asked = { ...given, context: given.context ?? activeContext(), instrumentationScope }
      return processors.some((processor) => isEnabled(processor, asked, reportDiagnostic))
    },
  }
}

/** A processor without an answer may do something. */
function isEnabled(
  processor: OtelLogRecordProcessor,
  asked: ProcessorEnabledOptions,
  reportDiagnostic: OnDiagnostic,
): boolean {
  try {
    const enabled = member(processor, 'enabled')
    if (typeof enabled !== 'function') return true
    const answer: unknown = enabled.call(processor, asked)
    disownPromise(answer)
    return answer === undefined || Boolean(answer)
  } catch {
    reportDiagnostic(processorFailed)
    return true
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

/** Attributes may become known later: they are looked up when they are read. */
function resourceView(resource: Resource, settlement: ResourceReadiness): OtelResource {
  const known = views.get(resource)
  if (known !== undefined) return known
  const view: OtelResource = {
    get attributes() {
      return apiAttributes(resource.attributes)
    },
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
    get asyncAttributesPending() {
      return !settlement.isOver
    },
    waitForAsyncAttributes: () => settlement.wait(),
  }
  views.set(resource, view)
  return view
}

const processorFailed = {
  code: 'SLUICE_PROCESSOR_FAILED',
  message: 'a processor of the provider threw; the record goes on without what it would have done',
}

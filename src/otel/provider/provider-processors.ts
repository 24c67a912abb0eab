import type { LogRecord } from '../../record/record.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import { ignoreRejection, onRejection } from '../../options/observe-promise.ts'
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

/** The processors of a provider for the logger of one scope. */
export interface ProviderPipeline {
  /** Passes a record through all processors and returns the result. */
  take(record: LogRecord, context: OtelContext | undefined, now: number): LogRecord
  /** Returns whether at least one processor is enabled for such a record (SDK10). */
  isEnabled(options: EnabledOptions | undefined): boolean
}

/** State that the processors of all scopes share. */
export interface ProcessingSettings {
  readonly processors: readonly OtelLogRecordProcessor[]
  readonly resource: Resource
  readonly resourceReadiness: ResourceReadiness
  readonly rules: Rules
  readonly reportDiagnostic: OnDiagnostic
}

/**
 * Creates the processing of a scope's records by the application's processors, in their order, before encoding (PRO1). An error
 * that a processor throws is reported, and the record continues without that processor's changes (D4). Returns undefined when there
 * are no processors.
 */
export function processing(scope: Scope, settings: ProcessingSettings): ProviderPipeline | undefined {
  const { processors, resource, resourceReadiness, rules, reportDiagnostic } = settings
  if (processors.length === 0) return undefined
  const instrumentationScope = scopeView(scope)
  const otelResource = resourceView(resource, resourceReadiness)
  return {
    take(record, context, now) {
      const editable = new EditableRecord(record, instrumentationScope, otelResource, rules)
      const current = context ?? activeContext()
      for (const [index, processor] of processors.entries()) {
        try {
          if (index > 0) editable.limitAttributes()
          const returned: unknown = processor.onEmit(editable, current)
          if (returned !== undefined) onRejection(returned, () => reportDiagnostic(processorFailed))
        } catch {
          reportDiagnostic(processorFailed)
        }
      }
      return editable.result(now)
    },
    isEnabled(options) {
      const given = membersOf(options ?? {}, ['context', 'severityNumber', 'eventName'])
      const enabledOptions = { ...given, context: given.context ?? activeContext(), instrumentationScope }
      return processors.some((processor) => isEnabled(processor, enabledOptions, reportDiagnostic))
    },
  }
}

/** Returns whether a processor is enabled; one that does not define `enabled`, or returns undefined, is. */
function isEnabled(
  processor: OtelLogRecordProcessor,
  enabledOptions: ProcessorEnabledOptions,
  reportDiagnostic: OnDiagnostic,
): boolean {
  try {
    const enabled = member(processor, 'enabled')
    if (typeof enabled !== 'function') return true
    const returned: unknown = enabled.call(processor, enabledOptions)
    ignoreRejection(returned)
    return returned === undefined || Boolean(returned)
  } catch {
    reportDiagnostic(processorFailed)
    return true
  }
}

/**
 * Calls a function on all processors concurrently and waits for the results, at most `timeoutMillis` ms. Returns whether all have
 * succeeded in time. Never rejects.
 */
export async function allProcessors(
  processors: readonly OtelLogRecordProcessor[],
  timeoutMillis: number,
  call: (processor: OtelLogRecordProcessor) => PromiseLike<unknown> | undefined,
): Promise<boolean> {
  if (processors.length === 0) return true
  // One failure must not end the wait for the others.
  const all = Promise.allSettled(processors.map(async (processor) => call(processor)))
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = delay(timeoutMillis, () => resolve(false))
  timer.keepAlive(true)
  void all.then((settled) => resolve(settled.every(({ status }) => status === 'fulfilled')))
  const done = await promise
  timer.cancel()
  return done
}

/**
 * Creates the scope that processors receive. It is created once for each logger, because processors may compare scopes by identity.
 */
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

/** Returns the resource that processors receive. Its attributes are read on access, because some may be resolved later. */
function resourceView(resource: Resource, resourceReadiness: ResourceReadiness): OtelResource {
  const existing = views.get(resource)
  if (existing !== undefined) return existing
  const view: OtelResource = {
    get attributes() {
      return apiAttributes(resource.attributes)
    },
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
    get asyncAttributesPending() {
      return !resourceReadiness.isOver
    },
    waitForAsyncAttributes: () => resourceReadiness.wait(),
  }
  views.set(resource, view)
  return view
}

const processorFailed = {
  code: 'SLUICE_PROCESSOR_FAILED',
  message: 'a processor of the provider threw; processing of the record continues',
}

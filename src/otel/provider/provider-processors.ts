import type { LogRecord } from '../../record/record.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import { ignoreRejection, handleRejection } from '../../options/observe-promise.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Rules } from '../../values/record-rules.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { toApiAttributes } from '../api/api-value.ts'
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

/** The processors of a provider, for records of one scope. */
export interface ProcessorChain {
  /**
   * Passes a record through all processors and returns the result.
   *
   * @param context - the context that was passed to `emit`; undefined for the active one
   * @param now - the current time in ms since the Unix epoch
   */
  process(record: LogRecord, context: OtelContext | undefined, now: number): LogRecord
  /** Returns whether at least one processor is enabled for a record with these properties. */
  isEnabled(options: EnabledOptions | undefined): boolean
}

/** The processors of a provider, and what they share for all scopes. */
export interface ProcessingSettings {
  readonly processors: readonly OtelLogRecordProcessor[]
  readonly resource: Resource
  readonly resourceReadiness: ResourceReadiness
  readonly rules: Rules
  readonly reportDiagnostic: OnDiagnostic
}

/**
 * Creates the processor chain of a scope. Its records pass through the application's processors, in their order, before they are encoded.
 * An error that a processor throws is reported, and the next processor is called; changes made before the error remain. Returns
 * undefined if there are no processors.
 */
export function createProcessorChain(scope: Scope, settings: ProcessingSettings): ProcessorChain | undefined {
  const { processors, resource, resourceReadiness, rules, reportDiagnostic } = settings
  if (processors.length === 0) return undefined
  const instrumentationScope = scopeForProcessors(scope)
  const otelResource = resourceForProcessors(resource, resourceReadiness)
  return {
    process(record, context, now) {
      const editable = new EditableRecord(record, instrumentationScope, otelResource, rules)
      const recordContext = context ?? activeContext()
      for (const [index, processor] of processors.entries()) {
        try {
          // The previous processor may have set attributes without limits.
          if (index > 0) editable.limitAttributes()
          const returned: unknown = processor.onEmit(editable, recordContext)
          if (returned !== undefined) handleRejection(returned, () => reportDiagnostic(processorRejected))
        } catch {
          reportDiagnostic(processorFailure)
        }
      }
      return editable.result(now)
    },
    isEnabled(options) {
      const properties = membersOf(options ?? {}, ['context', 'severityNumber', 'eventName'])
      const enabledOptions = { ...properties, context: properties.context ?? activeContext(), instrumentationScope }
      return processors.some((processor) => isProcessorEnabled(processor, enabledOptions, reportDiagnostic))
    },
  }
}

/** Returns whether a processor is enabled. It is, unless its `enabled` returns a falsy value other than undefined. */
function isProcessorEnabled(
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
    reportDiagnostic(processorFailure)
    return true
  }
}

/**
 * Calls a function for all processors and waits for the promises that it returns, at most `timeoutMillis` ms. Returns whether all have
 * succeeded in time. Never rejects.
 */
export async function callAllProcessors(
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
  void all.then((results) => resolve(results.every(({ status }) => status === 'fulfilled')))
  const haveAllSucceeded = await promise
  timer.cancel()
  return haveAllSucceeded
}

/**
 * Creates the scope that processors receive. Call it once for each logger, because processors may compare scopes by identity.
 */
function scopeForProcessors({ name, version, schemaUrl, attributes, droppedAttributes }: Scope): OtelScope {
  return Object.freeze({
    name: name ?? '',
    ...(version === undefined ? {} : { version }),
    ...(schemaUrl === undefined ? {} : { schemaUrl }),
    ...(attributes === undefined ? {} : { attributes: toApiAttributes(attributes) }),
    ...(droppedAttributes === undefined ? {} : { droppedAttributesCount: droppedAttributes }),
  })
}

/** The results of `resourceForProcessors`. Processors may compare resources by identity. */
const resourceViews = new WeakMap<Resource, OtelResource>()

/** Returns the resource that processors receive. Its attributes are read on access, because some may be resolved later. */
function resourceForProcessors(resource: Resource, resourceReadiness: ResourceReadiness): OtelResource {
  const existing = resourceViews.get(resource)
  if (existing !== undefined) return existing
  const view: OtelResource = {
    get attributes() {
      return toApiAttributes(resource.attributes)
    },
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
    get asyncAttributesPending() {
      return !resourceReadiness.isReady
    },
    waitForAsyncAttributes: () => resourceReadiness.wait(),
  }
  resourceViews.set(resource, view)
  return view
}

const processorRejected = {
  code: 'SLUICE_PROCESSOR_FAILED',
  message: 'onEmit() of a processor returned a promise that rejected; processing of the record continued before that',
}

const processorFailure = {
  code: 'SLUICE_PROCESSOR_FAILED',
  message: 'a processor of the provider threw; processing of the record continues',
}

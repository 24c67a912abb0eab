import { callHook, mustSkipHook } from '../encode/hooks.ts'
import type { LogRecord } from '../record/record.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import type { Rules } from '../values/record-rules.ts'
import type { RecordHandler } from './record-handler.ts'

/**
 * Creates a handler that adds the attributes that `enrich` returns to each record, with the lowest precedence. If `enrich`
 * throws or returns a promise, the record has the attribute `enrich` with a marker.
 */
export function enrichHandler(next: RecordHandler, enrich: () => object | undefined): RecordHandler {
  return {
    handle(record: LogRecord): void {
      if (!record.isDetached) record.enrichedAttributes = callEnrich(enrich)
      next.handle(record)
    },
    withRules: (rules: Rules) => enrichHandler(next.withRules(rules), enrich),
    withSource: (source) => enrichHandler(next.withSource(source), enrich),
  }
}

/**
 * Returns the attributes that `enrich` returns; a marker as the only one if it throws or returns a promise; undefined if it returns no
 * object.
 */
function callEnrich(enrich: () => object | undefined): object | undefined {
  // Records that `enrich` itself logs are not enriched.
  if (mustSkipHook(enrich)) return undefined
  try {
    // `enrich` is the hook, and also the subject that identifies it.
    const attributes: unknown = callHook(enrich, enrich)
    // A record does not wait for a promise.
    if (attributes instanceof Promise) return { enrich: '[Promise]' }
    return typeof attributes === 'object' && attributes !== null ? attributes : undefined
  } catch (error) {
    return { enrich: thrownMarker(error) }
  }
}

import { callHook, isHookRunning } from '../encode/hooks.ts'
import type { LogRecord } from '../record/record.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import type { Rules } from '../values/record-rules.ts'
import type { RecordHandler } from './record-handler.ts'

/**
 * Creates a handler that adds the attributes that `enrich` returns to each record, with the lowest precedence. If `enrich`
 * throws, the record has the attribute `enrich` with a marker.
 */
export function enrichHandler(next: RecordHandler, enrich: () => object | undefined): RecordHandler {
  return {
    handle(record: LogRecord): void {
      record.enriched = enriched(enrich)
      next.handle(record)
    },
    withRules: (rules: Rules) => enrichHandler(next.withRules(rules), enrich),
  }
}

function enriched(enrich: () => object | undefined): object | undefined {
  // Records that `enrich` itself logs are not enriched.
  if (isHookRunning(enrich)) return undefined
  try {
    const attributes: unknown = callHook(enrich, enrich)
    // Enrichment is synchronous: a record does not wait for a promise.
    if (attributes instanceof Promise) return { enrich: '[Promise]' }
    return typeof attributes === 'object' && attributes !== null ? attributes : undefined
  } catch (error) {
    return { enrich: thrownMarker(error) }
  }
}

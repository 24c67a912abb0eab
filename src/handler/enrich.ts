import { callHook, hookIsRunning } from '../encode/hooks.ts'
import type { LogRecord } from '../record/record.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import type { Rules } from '../values/record-rules.ts'
import type { RecordHandler } from './record-handler.ts'

/** Adds what `enrich` returns to each record, in the lowest precedence. Where it throws, the record shows that. */
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
  // What `enrich` logs itself is not enriched.
  if (hookIsRunning(enrich)) return undefined
  try {
    const attributes: unknown = callHook(enrich, enrich)
    // A record cannot wait.
    if (attributes instanceof Promise) return { enrich: '[Promise]' }
    return typeof attributes === 'object' && attributes !== null ? attributes : undefined
  } catch (error) {
    return { enrich: thrownMarker(error) }
  }
}

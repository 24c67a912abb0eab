import { baggageHandler } from '../handler/baggage.ts'
import { enrichHandler } from '../handler/enrich.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { traceBasedHandler } from '../handler/trace-based.ts'
import { baggageReader } from '../otel/api/baggage-selection.ts'
import type { Counters } from '../pipeline/counters.ts'
import type { BoundState } from '../record/bound.ts'
import type { LoggerSettings } from './logger-settings.ts'

/**
 * Returns the handlers of the options, in front of the last handler of a logger.
 *
 * @param written - the last handler of records that are written, if `last` is the one of records that the flight recorder may hold
 */
export function handlerChain(
  { options, handlerGuard }: LoggerSettings,
  allCounters: readonly Counters[],
  bound: BoundState,
  last: RecordHandler,
  written?: RecordHandler,
): RecordHandler {
  let handler = withAttributes(options, last)
  if (handlerGuard !== undefined)
    handler = handlerGuard.handlerBefore(handler, allCounters, bound, written && withAttributes(options, written))
  return options.traceBased === true ? traceBasedHandler(handler, allCounters) : handler
}

/** Returns the handlers that add attributes, in front of the last handler. */
function withAttributes({ baggage, enrich }: LoggerSettings['options'], last: RecordHandler): RecordHandler {
  const handler = baggage === undefined ? last : baggageHandler(last, baggageReader(baggage))
  return enrich === undefined ? handler : enrichHandler(handler, enrich)
}

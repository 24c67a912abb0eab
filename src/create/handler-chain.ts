import { baggageHandler } from '../handler/baggage.ts'
import { enrichHandler } from '../handler/enrich.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { traceBasedHandler } from '../handler/trace-based.ts'
import { baggageReader } from '../otel/api/baggage-selection.ts'
import type { Counters } from '../pipeline/counters.ts'
import type { BoundState } from '../record/bound.ts'
import type { LoggerSettings } from './logger-settings.ts'

/** Returns the handlers of the options, in front of the last handler of a logger. */
export function handlerChain(
  { options, handlerGuard }: LoggerSettings,
  allCounters: readonly Counters[],
  bound: BoundState,
  last: RecordHandler,
): RecordHandler {
  let handler = last
  if (options.baggage !== undefined) handler = baggageHandler(handler, baggageReader(options.baggage))
  if (options.enrich !== undefined) handler = enrichHandler(handler, options.enrich)
  if (handlerGuard !== undefined) handler = handlerGuard.handlerBefore(handler, allCounters, bound)
  return options.traceBased === true ? traceBasedHandler(handler, allCounters) : handler
}

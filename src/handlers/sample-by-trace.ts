import type { CreateHandler, HandledRecord } from '../handler/handler.ts'
import { typeName, integer, maxTimerMillis } from '../options/option-checks.ts'
import type { SpanContext } from '../record/span.ts'
import { isSampled, parseProbabilityState, thresholdOf } from './probability.ts'
import { SuppressedCounts } from './suppressed-counts.ts'
import { checkedOptions, keepLevelCheck, keepSeverity, type KeepLevelOption } from './volume-options.ts'

/** Options of `sampleByTrace`. */
export interface SampleByTraceOptions extends KeepLevelOption {
  /**
   * The maximum time until suppressed records are reported, in ms.
   *
   * @defaultValue 10,000
   */
  readonly reportMillis?: number
}

/**
 * Creates a handler that keeps the records of a ratio of all traces: each trace completely or not at all, with the same answer in every
 * process. It follows OpenTelemetry's consistent probability sampling. The randomness is `rv` of the `tracestate`, or else the last 7
 * bytes of the trace ID. If the `tracestate` has the threshold `th` of a sampler, it applies instead of `ratio`. Records without a
 * span are kept. Suppressed records count as filtered for the reason `sample`, and their number is reported once, by the next kept record
 * or in a summary.
 *
 * @param ratio - the part of the traces whose records are kept, from 0 to 1
 * @param options - the options
 *
 * @throws ConfigurationError if an argument is invalid
 */
export function sampleByTrace(ratio: number, options: SampleByTraceOptions = {}): CreateHandler {
  const schema = { keepLevel: keepLevelCheck, reportMillis: integer(1, maxTimerMillis) }
  const { keepLevel, reportMillis = 10_000 } = checkedOptions('sampleByTrace', options, schema, (_, problems) => {
    if (typeof ratio === 'number' && ratio >= 0 && ratio <= 1) return
    const received = typeof ratio === 'number' ? String(ratio) : typeName(ratio)
    const code = typeof ratio === 'number' ? 'SLUICE_OPTION_RANGE' : 'SLUICE_OPTION_TYPE'
    const message = `must be a number from 0 to 1, not ${received}; for one trace in ten, write sampleByTrace(0.1)`
    problems.push({ code, path: 'sampleByTrace.ratio', message })
  })
  const keptFrom = keepSeverity(keepLevel)
  const threshold = thresholdOf(ratio)
  return (next, host) => {
    const suppressed = new SuppressedCounts(host, next, { reason: 'sample', reportMillis })
    // Consecutive records often belong to the same span.
    let lastSpan: SpanContext | undefined
    let isLastSampled = true
    return {
      handle(record: HandledRecord): void {
        const span = record.severity >= keptFrom || record.isHeld ? undefined : record.span
        if (span === undefined) return next.handle(record)
        if (span !== lastSpan) {
          isLastSampled = isSampled(span, parseProbabilityState(span.traceState), threshold)
          lastSpan = span
        }
        return isLastSampled ? suppressed.keep(record) : suppressed.suppress(record)
      },
    }
  }
}

import type { SpanContext } from '../record/span.ts'

/** 2 to the power of 56: the number of random values of a trace. */
const randomValues = 2 ** 56
/** The number of hex digits of a random value. */
const digits = 14

/** The values that OpenTelemetry's samplers pass on in the key `ot` of `tracestate`. */
export interface ProbabilityState {
  /** `rv`: the randomness of the trace, 14 hex digits; undefined to use its ID. */
  readonly randomness: string | undefined
  /** `th`: the threshold with which the trace was sampled, 14 hex digits; undefined if unknown. */
  readonly threshold: string | undefined
}

const noState: ProbabilityState = { randomness: undefined, threshold: undefined }

/**
 * Returns the rejection threshold of a sampling probability, from 0 to 1, as 14 hex digits: a trace is sampled if its randomness is not
 * lower. For 0 it is higher than every randomness. Hex digits of equal length are compared as text.
 */
export function thresholdOf(ratio: number): string {
  // Multiplying by a power of 2 is exact, which 1 - ratio is not.
  const sampledValues = Math.round(ratio * randomValues)
  return sampledValues === 0 ? 'g' : (BigInt(randomValues) - BigInt(sampledValues)).toString(16).padStart(digits, '0')
}

/** Returns whether the trace of a span is sampled: for all of its spans, in every process. */
export function isSampled({ traceId }: SpanContext, state: ProbabilityState, ratioThreshold: string): boolean {
  return (state.randomness ?? traceId.slice(-digits)) >= (state.threshold ?? ratioThreshold)
}

/** Reads the key `ot` of a `tracestate`. Invalid values are ignored. */
export function parseProbabilityState(traceState: string | undefined): ProbabilityState {
  const entry = traceState === undefined ? undefined : /(?:^|,)[ \t]*ot=([^,]*)/.exec(traceState)?.[1]
  if (entry === undefined) return noState
  let { randomness, threshold } = noState
  for (const field of entry.trim().split(';')) {
    if (/^rv:[0-9a-f]{14}$/.test(field)) randomness = field.slice(3)
    else if (/^th:[0-9a-f]{1,14}$/.test(field)) threshold = field.slice(3).padEnd(digits, '0')
  }
  return { randomness, threshold }
}

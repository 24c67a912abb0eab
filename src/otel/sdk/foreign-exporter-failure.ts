import type { ExportResult } from '../../pipeline/exporter.ts'
import { retryDelayMillis } from './foreign-exporter-retry-info.ts'
import { member, membersOf } from '../../options/own-members.ts'

/** The export result that an exporter's error means for the batch. */
export interface Failure {
  readonly result: ExportResult
  /** The name of the error, without its message, which may contain anything. */
  readonly cause: string
}

/**
 * Classifies an error of an OpenTelemetry exporter. According to OTLP, retryable errors are: gRPC codes (OTL12), with the delay of
 * a RetryInfo; network errors (OTL10); and the error of an OTLP exporter for HTTP that has exhausted its own retries. The result is
 * `unknown` when the batch may have arrived without a response. All other errors are final. Never throws.
 */
export function failureOf(error: unknown): Failure {
  try {
    const { name, code, metadata, message } = membersOf(Object(error) as ForeignError, members)
    if (isGrpc(code, metadata)) return grpcFailure(code, metadata)
    const cause = `${nameOf(name)}${code === undefined ? '' : ` ${nameOf(code)}`}`
    if (notArrived.has(code) || message === retriesExhausted) return { result: retryable, cause }
    if (withoutResponse.has(code) || message === timedOut) return { result: unknown, cause }
    return { result: { ...final, reason: typeof code === 'number' ? 'rejected' : 'io_error' }, cause }
  } catch {
    return { result: { ...final, reason: 'io_error' }, cause: 'Error' }
  }
}

const members = ['name', 'code', 'metadata', 'message'] as const

interface ForeignError {
  readonly name?: unknown
  readonly code?: unknown
  readonly message?: unknown
  /** The trailing metadata of gRPC. */
  readonly metadata?: { get?(key: string): readonly unknown[] }
}

const retryable = { status: 'retryable', accepted: 0 } as const
const final = { status: 'rejected', accepted: 0 } as const

const unknown = { status: 'unknown', accepted: 0 } as const

/** The server could not be reached, so nothing was sent. */
const notArrived: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'EHOSTUNREACH',
])
/** A lost connection may have delivered the batch. */
const withoutResponse: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/**
 * The messages that the OTLP exporters for HTTP of both generations use for a 429, 502, 503 or 504, and for a server that does not
 * respond.
 */
const retriesExhausted = 'Export failed with retryable status'
const timedOut = 'Request timed out'

/** CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS (OTL12). */
const retryableCodes: readonly number[] = [1, 4, 10, 11, 14, 15]
const resourceExhausted = 8

/** Returns whether an error comes from gRPC: HTTP codes have three digits, gRPC errors have codes from 1 to 16 and metadata. */
function isGrpc(code: unknown, metadata: ForeignError['metadata']): code is number {
  return (
    typeof code === 'number' && code >= 1 && code <= 16 && typeof (metadata && member(metadata, 'get')) === 'function'
  )
}

function grpcFailure(code: number, metadata: ForeignError['metadata']): Failure {
  const [details] = member(metadata!, 'get')!.call(metadata, 'grpc-status-details-bin')
  const delay = details instanceof Uint8Array ? retryDelayMillis(details) : undefined
  const cause = `gRPC status ${code}`
  // RESOURCE_EXHAUSTED is retryable only if the server sends a retry delay.
  const mayRetry = retryableCodes.includes(code) || (code === resourceExhausted && delay !== undefined)
  if (!mayRetry) return { result: { ...final, reason: 'rejected' }, cause }
  return { result: delay === undefined ? retryable : { ...retryable, retryAfterMillis: delay }, cause }
}

function nameOf(value: unknown): string {
  // Do not convert objects: an array may be a proxy of unbounded length, and joining it would not end.
  const word = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return /^\w{1,64}$/.test(word) ? word : 'Error'
}

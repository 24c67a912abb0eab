import type { ExportResult } from '../../pipeline/exporter.ts'
import { retryDelayMillis } from './foreign-exporter-retry-info.ts'
import { member, membersOf } from '../../options/own-members.ts'

/** The result of a batch whose export failed. */
export interface Failure {
  readonly result: ExportResult
  /** The name and code of the error, or its gRPC status; without its message, which may contain anything. */
  readonly cause: string
}

/**
 * Classifies an error of an OpenTelemetry exporter. Retryable are the gRPC codes that the OTLP specification lists, with the delay of a
 * RetryInfo; errors of a connection that was not established; and the error of an OTLP exporter for HTTP that has exhausted its own
 * retries. The result is `unknown` if there was no response but the batch may have arrived, and `rejected` for any other error.
 * Never throws.
 */
export function failureOf(error: unknown): Failure {
  try {
    const { name, code, metadata, message } = membersOf(Object(error) as ForeignError, errorMembers)
    if (isGrpc(code, metadata)) return grpcFailure(code, metadata)
    const cause = `${printableName(name)}${code === undefined ? '' : ` ${printableName(code)}`}`
    if (notArrivedCodes.has(code) || message === retriesExhausted) return { result: retryableResult, cause }
    if (noResponseCodes.has(code) || message === timedOut) return { result: unknownResult, cause }
    // A number is the HTTP status code of a response.
    return { result: { ...rejectedResult, reason: typeof code === 'number' ? 'rejected' : 'io_error' }, cause }
  } catch {
    return { result: { ...rejectedResult, reason: 'io_error' }, cause: 'Error' }
  }
}

const errorMembers = ['name', 'code', 'metadata', 'message'] as const

interface ForeignError {
  readonly name?: unknown
  readonly code?: unknown
  readonly message?: unknown
  /** The trailing metadata of gRPC. */
  readonly metadata?: { get?(key: string): readonly unknown[] }
}

const retryableResult = { status: 'retryable', accepted: 0 } as const
const rejectedResult = { status: 'rejected', accepted: 0 } as const
const unknownResult = { status: 'unknown', accepted: 0 } as const

/** The error codes of a connection that was not established, so nothing was sent. */
const notArrivedCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'EHOSTUNREACH',
])
/** The error codes of a lost connection, which may have delivered the batch. */
const noResponseCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/**
 * The messages of the OTLP exporters for HTTP, of both generations: for a response 429, 502, 503 or 504, and for a server that does not
 * respond.
 */
const retriesExhausted = 'Export failed with retryable status'
const timedOut = 'Request timed out'

/** CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS. */
const retryableGrpcCodes: readonly number[] = [1, 4, 10, 11, 14, 15]
const resourceExhausted = 8

/** Returns whether an error comes from gRPC: it has a code from 1 to 16 and metadata, whereas an HTTP status code has three digits. */
function isGrpc(code: unknown, metadata: ForeignError['metadata']): code is number {
  return (
    typeof code === 'number' && code >= 1 && code <= 16 && typeof (metadata && member(metadata, 'get')) === 'function'
  )
}

function grpcFailure(code: number, metadata: ForeignError['metadata']): Failure {
  const [details] = member(metadata!, 'get')!.call(metadata, 'grpc-status-details-bin')
  const delayMillis = details instanceof Uint8Array ? retryDelayMillis(details) : undefined
  const cause = `gRPC status ${code}`
  // RESOURCE_EXHAUSTED is retryable only if the server sends a retry delay.
  const isRetryable = retryableGrpcCodes.includes(code) || (code === resourceExhausted && delayMillis !== undefined)
  if (!isRetryable) return { result: { ...rejectedResult, reason: 'rejected' }, cause }
  return {
    result: delayMillis === undefined ? retryableResult : { ...retryableResult, retryAfterMillis: delayMillis },
    cause,
  }
}

/** Returns a name or code; `Error` for a value that is not a short word. */
function printableName(value: unknown): string {
  // Objects are not converted: an array may be a proxy of unbounded length, and joining it would not end.
  const word = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return /^\w{1,64}$/.test(word) ? word : 'Error'
}

import type { ExportResult } from '../../pipeline/exporter.ts'
import { retryDelayMillis } from './foreign-exporter-retry-info.ts'
import { member, membersOf } from '../../options/own-members.ts'

/** What an exporter's error means for the batch. */
export interface Failure {
  readonly result: ExportResult
  /** Names the error without its message, which may hold anything. */
  readonly cause: string
}

/**
 * Reads the error of one of OpenTelemetry's exporters. Worth another try, by OTLP: codes of gRPC (OTL12), with the delay that
 * a RetryInfo asks for; network errors (OTL10); and what an OTLP exporter for HTTP has given up after its own tries. Where the
 * batch may have arrived without an answer it is `unknown`. All else is final. Never throws.
 */
export function failureOf(error: unknown): Failure {
  try {
    const { name, code, metadata, message } = membersOf(Object(error) as ForeignError, members)
    if (isGrpc(code, metadata)) return grpcFailure(code, metadata)
    const cause = `${wordOf(name)}${code === undefined ? '' : ` ${wordOf(code)}`}`
    if (notArrived.has(code) || message === triedByItself) return { result: again, cause }
    if (withoutAnswer.has(code) || message === timedOut) return { result: unknown, cause }
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

const again = { status: 'retryable', accepted: 0 } as const
const final = { status: 'rejected', accepted: 0 } as const

const unknown = { status: 'unknown', accepted: 0 } as const

/** There was nobody to send to. */
const notArrived: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'EHOSTUNREACH',
])
/** A connection that was lost may have carried the batch. */
const withoutAnswer: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** All that the OTLP exporters for HTTP of both lines say of a 429, 502, 503 or 504, and of a server that does not answer. */
const triedByItself = 'Export failed with retryable status'
const timedOut = 'Request timed out'

/** CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS (OTL12). */
const retryableCodes: readonly number[] = [1, 4, 10, 11, 14, 15]
const resourceExhausted = 8

/** HTTP has codes of three digits, gRPC 1 to 16 and metadata. */
function isGrpc(code: unknown, metadata: ForeignError['metadata']): code is number {
  return (
    typeof code === 'number' && code >= 1 && code <= 16 && typeof (metadata && member(metadata, 'get')) === 'function'
  )
}

function grpcFailure(code: number, metadata: ForeignError['metadata']): Failure {
  const [details] = member(metadata!, 'get')!.call(metadata, 'grpc-status-details-bin')
  const delay = details instanceof Uint8Array ? retryDelayMillis(details) : undefined
  const cause = `gRPC status ${code}`
  // A server that is out of resources for long says nothing of a retry.
  const mayRetry = retryableCodes.includes(code) || (code === resourceExhausted && delay !== undefined)
  if (!mayRetry) return { result: { ...final, reason: 'rejected' }, cause }
  return { result: delay === undefined ? again : { ...again, retryAfterMillis: delay }, cause }
}

function wordOf(value: unknown): string {
  // An array can be a proxy of any length: joining it would not end.
  const word = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return /^\w{1,64}$/.test(word) ? word : 'Error'
}

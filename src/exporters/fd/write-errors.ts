import { member } from '../../options/own-members.ts'
import { UntrustedPathError } from '../../platform/node/path-trust.ts'

/**
 * What a failed write means. `busy`: the destination takes no more for now (EAGAIN). `passing`: the same bytes may succeed
 * later (a full disk, a failing one). `permanent`: this descriptor never takes a byte again.
 */
export type WriteFailureKind = 'busy' | 'passing' | 'permanent'

// POSIX write(2): no reader or peer is left, or the descriptor is not open for writing. The last is Node's permission model.
const permanent = new Set(['EPIPE', 'ECONNRESET', 'EBADF', 'ERR_ACCESS_DENIED'])
// ENOBUFS is how macOS and the BSDs say that a local socket is full.
const busy = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINTR', 'ENOBUFS'])

/** Sorts a write error. What is not known to be permanent counts as passing: the queue in front of us is bounded. */
export function writeFailureKind(error: unknown): WriteFailureKind {
  const code = errorCode(error)
  return busy.has(code) ? 'busy' : permanent.has(code) ? 'permanent' : 'passing'
}

/** Whether a write failed because nobody will ever read what is written. */
export function isReaderGone(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EPIPE' || code === 'ECONNRESET'
}

/** The system's code of an error, such as `ENOSPC`; it never holds a path or a value. */
export function errorCode(error: unknown): string {
  // No `instanceof`: a test runner's realm has an Error of its own.
  const code = member(Object(error) as { readonly code?: unknown }, 'code')
  return typeof code === 'string' ? code : 'unknown error'
}

/**
 * The code and the reason with which a failure is reported. The reason is the system's code only, since its text may hold more than
 * the destination's name; for a path that another user controls, it is that path and what to do.
 */
export function failureReport(error: unknown, usualCode: string): { readonly code: string; readonly reason: string } {
  return error instanceof UntrustedPathError
    ? { code: error.code, reason: `: ${error.message}` }
    : { code: usualCode, reason: ` (${errorCode(error)})` }
}

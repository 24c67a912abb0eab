import { member } from '../../options/own-members.ts'
import { UntrustedPathError } from '../../platform/node/path-trust.ts'

/**
 * The kind of a write failure. `busy`: the destination accepts no more at the moment (EAGAIN). `temporary`: the destination may accept
 * the same bytes later, for example when a disk is no longer full. `permanent`: this descriptor will never accept another byte.
 */
export type WriteFailureKind = 'busy' | 'temporary' | 'permanent'

// POSIX write(2): there is no reader or peer, or the descriptor is not open for writing. ERR_ACCESS_DENIED is from Node's
// permission model.
const permanentCodes = new Set(['EPIPE', 'ECONNRESET', 'EBADF', 'ERR_ACCESS_DENIED'])
// macOS and the BSDs return ENOBUFS for a full local socket.
const busyCodes = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINTR', 'ENOBUFS'])

/** Returns the kind of a write error. An unrecognized error counts as temporary, because the queue is limited while writes are retried. */
export function writeFailureKind(error: unknown): WriteFailureKind {
  const code = errorCode(error)
  return busyCodes.has(code) ? 'busy' : permanentCodes.has(code) ? 'permanent' : 'temporary'
}

/** Returns whether a write failed because the destination no longer has a reader. */
export function isReaderGone(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EPIPE' || code === 'ECONNRESET'
}

/** Returns the code of an error, such as `ENOSPC` of the system, or `unknown error` if it has none. */
export function errorCode(error: unknown): string {
  // Do not use `instanceof`: the error can be of another realm, such as a test runner's, which has its own Error class.
  const code = member(Object(error) as { readonly code?: unknown }, 'code')
  return typeof code === 'string' ? code : 'unknown error'
}

/**
 * Returns the diagnostic code and the reason of a failure. For an `UntrustedPathError`, the reason is its message, which contains the
 * path and how to fix it. For any other error, the reason is only the system's error code, because the message of the error may
 * contain more than the destination's name.
 */
export function failureReport(error: unknown, defaultCode: string): { readonly code: string; readonly reason: string } {
  return error instanceof UntrustedPathError
    ? { code: error.code, reason: `: ${error.message}` }
    : { code: defaultCode, reason: ` (${errorCode(error)})` }
}

import { member } from '../../options/own-members.ts'
import { UntrustedPathError } from '../../platform/node/path-trust.ts'

/**
 * The kind of a write failure. `busy`: the destination accepts no more at the moment (EAGAIN). `passing`: the same bytes may be
 * accepted later, for example on a full or failing disk. `permanent`: this descriptor will never accept another byte.
 */
export type WriteFailureKind = 'busy' | 'passing' | 'permanent'

// POSIX write(2): there is no reader or peer, or the descriptor is not open for writing. ERR_ACCESS_DENIED is from Node's
// permission model.
const permanent = new Set(['EPIPE', 'ECONNRESET', 'EBADF', 'ERR_ACCESS_DENIED'])
// macOS and the BSDs return ENOBUFS for a full local socket.
const busy = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINTR', 'ENOBUFS'])

/** Returns the kind of a write error. An unrecognized error counts as passing: the queue that waits for it is bounded. */
export function writeFailureKind(error: unknown): WriteFailureKind {
  const code = errorCode(error)
  return busy.has(code) ? 'busy' : permanent.has(code) ? 'permanent' : 'passing'
}

/** Returns whether a write failed because the destination no longer has a reader. */
export function isReaderGone(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EPIPE' || code === 'ECONNRESET'
}

/** Returns the system's code of an error, such as `ENOSPC`. It never contains a path or a value. */
export function errorCode(error: unknown): string {
  // Avoid `instanceof`: a test runner's realm has its own Error class.
  const code = member(Object(error) as { readonly code?: unknown }, 'code')
  return typeof code === 'string' ? code : 'unknown error'
}

/**
 * Returns the diagnostic code and the reason of a failure. The reason is only the system's error code, because the error's
 * message may contain more than the destination's name. For a path that another user controls, it is that path and how to fix
 * it.
 */
export function failureReport(error: unknown, usualCode: string): { readonly code: string; readonly reason: string } {
  return error instanceof UntrustedPathError
    ? { code: error.code, reason: `: ${error.message}` }
    : { code: usualCode, reason: ` (${errorCode(error)})` }
}

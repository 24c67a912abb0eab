import { fsyncSync } from 'node:fs'
import { chunkEnd } from '../../../exporters/fd/line-chunks.ts'
import { ignoreRejection } from '../../../options/observe-promise.ts'
import { writeSync } from '../../../platform/node/write-sync.ts'
import { sleepSync } from '../../../exporters/fd/sleep.ts'
import { errorCode } from '../../../exporters/fd/write-errors.ts'

/**
 * Decides whether a write that failed with EAGAIN or EBUSY is retried. The parameters are those of sonic-boom: the error, the number of
 * pending bytes, and the number of further buffered characters, which is always 0.
 */
export type RetryEagain = (error: Error, writeBufferLen: number, remainingBufferLen: number) => boolean

const retryDelayMillis = 10

/** The result of a write. */
export interface WriteWholeResult {
  /** Number of bytes written: all of them if there is no error. */
  readonly count: number
  /** The error of the system call. */
  readonly error: NodeJS.ErrnoException | undefined
}

/** Options of `writeWhole`. */
export interface WriteWholeOptions {
  readonly retry: RetryEagain
  /** Whether each system call writes either whole lines of at most PIPE_BUF bytes, which pipes accept atomically, or one longer line. */
  readonly keepsLinesWhole: boolean
}

/** Writes all bytes before it returns, unless an error is not retried, in as many system calls as necessary. Never throws. */
export function writeWhole(
  fd: number,
  bytes: Uint8Array,
  { retry, keepsLinesWhole }: WriteWholeOptions,
): WriteWholeResult {
  let offset = 0
  while (offset < bytes.length) {
    try {
      const end = keepsLinesWhole ? chunkEnd(bytes, offset) : bytes.length
      offset += writeSync(fd, bytes, offset, end - offset)
    } catch (error) {
      if (errorCode(error) === 'EINTR') continue
      if (!mayRetry(error as NodeJS.ErrnoException, bytes.length - offset, retry))
        return { count: offset, error: error as Error }
      sleepSync(retryDelayMillis)
    }
  }
  return { count: offset, error: undefined }
}

/** Returns whether a failed write is retried. Errors other than EAGAIN and EBUSY are final. */
function mayRetry(error: NodeJS.ErrnoException, pendingBytes: number, retry: RetryEagain): boolean {
  const code = errorCode(error)
  if (code !== 'EAGAIN' && code !== 'EBUSY') return false
  try {
    const decision: unknown = retry(error, pendingBytes, 0)
    // The thread is blocked between attempts, so a promise could never settle.
    const isPromise = ignoreRejection(decision)
    return !isPromise && Boolean(decision)
  } catch {
    return false // the user's function threw
  }
}

/** Synchronizes a file to the disk. Errors are ignored. */
export function syncIfFile(fd: number): void {
  try {
    fsyncSync(fd)
  } catch {
    // Pipes and terminals cannot be synchronized.
  }
}

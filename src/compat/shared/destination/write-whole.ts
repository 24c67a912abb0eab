import { fsyncSync } from 'node:fs'
import { chunkEnd } from '../../../exporters/fd/line-chunks.ts'
import { ignoreRejection } from '../../../options/observe-promise.ts'
import { writeSync } from '../../../platform/node/write-sync.ts'
import { sleepSync } from '../../../exporters/fd/sleep.ts'
import { errorCode } from '../../../exporters/fd/write-errors.ts'

/** Decides whether a write that failed with EAGAIN or EBUSY is retried, given the error and the number of pending bytes. */
export type RetryEagain = (error: Error, writeBufferLen: number, remainingBufferLen: number) => boolean

const pauseMillis = 10

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
  /** Whether each system call writes whole lines of at most PIPE_BUF bytes, so that other writers cannot interleave with them. */
  readonly keepsLinesWhole: boolean
}

/** Writes all bytes before it returns, in as many system calls as necessary. Never throws. */
export function writeWhole(
  fd: number,
  bytes: Uint8Array,
  { retry, keepsLinesWhole }: WriteWholeOptions,
): WriteWholeResult {
  let at = 0
  while (at < bytes.length) {
    try {
      const end = keepsLinesWhole ? chunkEnd(bytes, at) : bytes.length
      at += writeSync(fd, bytes, at, end - at)
    } catch (error) {
      if (errorCode(error) === 'EINTR') continue
      if (!isAgain(error as NodeJS.ErrnoException, bytes.length - at, retry))
        return { count: at, error: error as Error }
      sleepSync(pauseMillis)
    }
  }
  return { count: at, error: undefined }
}

function isAgain(error: NodeJS.ErrnoException, left: number, retry: RetryEagain): boolean {
  const code = errorCode(error)
  if (code !== 'EAGAIN' && code !== 'EBUSY') return false
  try {
    const answer: unknown = retry(error, left, 0)
    // The thread is blocked between attempts, so a promise could never settle.
    return !ignoreRejection(answer) && Boolean(answer)
  } catch {
    return false // the user's function threw
  }
}

/** Synchronizes a file to the disk. Other descriptors are ignored. */
export function syncIfFile(fd: number): void {
  try {
    fsyncSync(fd)
  } catch {
    // Pipes and terminals cannot be synchronized.
  }
}

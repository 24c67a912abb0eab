import { fsyncSync } from 'node:fs'
import { pieceEnd } from '../../../exporters/fd/line-chunks.ts'
import { disownPromise } from '../../../options/observe-promise.ts'
import { writeSync } from '../../../platform/node/write-sync.ts'
import { sleepSync } from '../../../exporters/fd/sleep.ts'
import { errorCode } from '../../../exporters/fd/write-errors.ts'

/** Asked before a write that a destination was not ready for is tried again: the error, and how many bytes wait. */
export type RetryEagain = (error: Error, writeBufferLen: number, remainingBufferLen: number) => boolean

const pauseMillis = 10

/** What came of a write. */
export interface Written {
  /** How many bytes were written: all of them, where there is no error. */
  readonly count: number
  /** What the system says. */
  readonly error: NodeJS.ErrnoException | undefined
}

/** How to write. */
export interface WriteWholeOptions {
  readonly retry: RetryEagain
  /** Whether each system call writes whole lines of at most PIPE_BUF bytes, so that other writers cannot interleave. */
  readonly keepsLinesWhole: boolean
}

/** Writes all bytes before it returns, however many the destination accepts at a time. Never throws. */
export function writeWhole(fd: number, bytes: Uint8Array, { retry, keepsLinesWhole }: WriteWholeOptions): Written {
  let at = 0
  while (at < bytes.length) {
    try {
      const end = keepsLinesWhole ? pieceEnd(bytes, at) : bytes.length
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
    // The thread waits between tries: a promise could never settle.
    return !disownPromise(answer) && Boolean(answer)
  } catch {
    return false // a user's function
  }
}

/** Has the system put a file on its disk, where it is a file. */
export function syncIfFile(fd: number): void {
  try {
    fsyncSync(fd)
  } catch {
    // a pipe or a terminal
  }
}

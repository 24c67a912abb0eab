import { Backoff } from '../../exporters/fd/backoff.ts'
import { sleepSync } from '../../exporters/fd/sleep.ts'
import { errorCode, writeFailureKind } from '../../exporters/fd/write-errors.ts'
import { writeSync } from '../../platform/node/write-sync.ts'

/** The delays in milliseconds between two attempts to write to a full pipe: from one that a fast reader needs up to one that costs no CPU. */
const [firstDelay, maxDelay] = [0.125, 16]

/**
 * Writes all bytes to a descriptor. While a pipe or a terminal accepts no more, the thread sleeps.
 *
 * @returns whether the reader is still there
 * @throws the system's error, for example if the disk is full
 */
export function writeAll(fd: number, bytes: Uint8Array, length: number): boolean {
  let backoff: Backoff | undefined
  for (let offset = 0; offset < length;) {
    try {
      offset += writeSync(fd, bytes, offset, length - offset)
      backoff?.reset()
    } catch (error) {
      if (readerGoneCodes.has(errorCode(error))) return false
      if (writeFailureKind(error) !== 'busy') throw error
      backoff ??= new Backoff(firstDelay, maxDelay)
      sleepSync(backoff.next())
    }
  }
  return true
}

/** EPIPE: no process reads the pipe any longer. EIO: the terminal was closed. */
const readerGoneCodes: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'EIO'])

import { fsyncSync, writeSync } from 'node:fs'
import { sleepSync } from '../../export/write/sleep.ts'

/** Asked before a write that a destination was not ready for is tried again: the error, and how many bytes wait. */
export type RetryEagain = (error: Error, writeBufferLen: number, remainingBufferLen: number) => boolean

const pauseMillis = 10

/** Writes all of a text or of bytes before it returns, whatever the destination takes at a time. Throws what the system says. */
export function writeWhole(fd: number, data: string | Uint8Array, retry: RetryEagain): number {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EINTR') continue
      const left = bytes.length - at
      if ((code !== 'EAGAIN' && code !== 'EBUSY') || !retry(error as Error, left, 0)) throw error
      sleepSync(pauseMillis)
    }
  }
  return bytes.length
}

/** Has the system put a file on its disk, where it is a file. */
export function syncIfFile(fd: number): void {
  try {
    fsyncSync(fd)
  } catch {
    // a pipe or a terminal
  }
}

import { fstatSync, readFileSync, write } from 'node:fs'
import type { Descriptor } from '../fd/descriptor.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** A synchronous write that takes longer than this blocks the event loop too long, in ms. The next writes are asynchronous. */
const SLOW_MILLIS = 20
/** An asynchronous write that takes less than this is fast, in ms. */
const FAST_MILLIS = 5
/** After this many fast writes in a row, writes are synchronous again. */
const FAST_WRITES = 8

/** Tracks whether a file is fast enough for synchronous writes. */
export class FilePace {
  slow = false
  private fastWrites = 0

  /** Records the duration of a synchronous write, in ms. */
  wroteSync(elapsed: number): void {
    if (elapsed > SLOW_MILLIS) this.slow = true
    this.fastWrites = 0
  }

  /** Records the duration of an asynchronous write, in ms. */
  wroteAsync(elapsed: number): void {
    this.fastWrites = elapsed < FAST_MILLIS ? this.fastWrites + 1 : 0
    if (this.fastWrites === FAST_WRITES) this.slow = false
  }
}

/** A write in the thread pool. At most one is in flight for each file. */
export interface BackgroundWrite {
  /** A copy of the bytes to write. */
  readonly bytes: Uint8Array
  /**
   * Returns how many bytes are written, without waiting for the event loop: all of them, or undefined while the write is not
   * known to be complete. A completed write moves the position of an O_APPEND description to the end of the file (POSIX write).
   * After a partial write the thread continues with the rest, so a position in between is inconclusive: only the callback
   * reports whether that failed.
   */
  written(): number | undefined
}

/**
 * Writes in the thread pool. Use it only for a file whose open file description is not shared. Never use it for a pipe, socket
 * or terminal, where a blocked write would prevent `process.exit()` from ending the process.
 *
 * @param done - Called once, in a later turn, even if `written` has already returned a number.
 */
export function writeInBackground(
  descriptor: Descriptor,
  bytes: Uint8Array,
  done: (error: Error | null, written: number) => void,
): BackgroundWrite {
  const before = position(descriptor.fd)
  // Copy the bytes: the queue may reuse its buffer after a result that was returned before this write is complete.
  const copy = Uint8Array.prototype.slice.call(bytes)
  write(descriptor.fd, copy, 0, copy.length, null, done)
  return {
    bytes: copy,
    written() {
      const moved = position(descriptor.fd) - before
      // It moved further than the copy's length: another process appended first, and then this write was appended.
      return moved < copy.length ? undefined : copy.length
    },
  }
}

function position(fd: number): number {
  try {
    const pos = /^pos:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, asLatin1))
    if (pos !== null) return Number(pos[1])
  } catch {
    // There is no procfs. The size gives the same result while no other process writes.
  }
  return fstatSync(fd).size
}

import { fstatSync, readFileSync, write } from 'node:fs'
import type { Descriptor } from '../fd/descriptor.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** After a synchronous write that takes longer than this, in ms, writes are asynchronous, so that they do not block the event loop. */
const SLOW_MILLIS = 20
/** An asynchronous write that takes less than this is fast, in ms. */
const FAST_MILLIS = 5
/** After this many fast writes in a row, writes are synchronous again. */
const FAST_WRITES = 8

/** Tracks whether a file is fast enough for synchronous writes. */
export class FilePace {
  /** Whether writes should be asynchronous. */
  isSlow = false
  /** The number of fast asynchronous writes in a row. */
  private fastWrites = 0

  /** Records the duration of a synchronous write, in ms. */
  recordSyncWrite(elapsedMillis: number): void {
    if (elapsedMillis > SLOW_MILLIS) this.isSlow = true
    this.fastWrites = 0
  }

  /** Records the duration of an asynchronous write, in ms. */
  recordAsyncWrite(elapsedMillis: number): void {
    this.fastWrites = elapsedMillis < FAST_MILLIS ? this.fastWrites + 1 : 0
    if (this.fastWrites === FAST_WRITES) this.isSlow = false
  }
}

/** A write in the thread pool. Only one may be in flight for each file. */
export interface BackgroundWrite {
  /** A copy of the bytes to write. */
  readonly bytes: Uint8Array
  /**
   * Returns how many bytes are written, without waiting for the event loop: all of them, or undefined while the write is not
   * known to be complete. A write moves the position of an O_APPEND description to the end of what it wrote (POSIX write). After a
   * partial write, the thread continues with the rest, which can fail, and only the callback reports that. So a position that
   * has moved by less than the length does not show how many bytes are written.
   */
  writtenBytes(): number | undefined
}

/**
 * Writes in the thread pool. Use it only for a file whose open file description is not shared. Never use it for a pipe, socket
 * or terminal, where a blocked write would prevent `process.exit()` from ending the process.
 *
 * @param done - Called once, in a later turn, even if `writtenBytes` has already returned a number.
 */
export function writeInBackground(
  descriptor: Descriptor,
  bytes: Uint8Array,
  done: (error: Error | null, written: number) => void,
): BackgroundWrite {
  const positionBefore = appendPosition(descriptor.fd)
  // Copy the bytes: the queue may reuse its buffer after a result that was returned before this write is complete.
  const copy = Uint8Array.prototype.slice.call(bytes)
  write(descriptor.fd, copy, 0, copy.length, null, done)
  return {
    bytes: copy,
    writtenBytes() {
      const movedBytes = appendPosition(descriptor.fd) - positionBefore
      // The position moves by more than the copy's length if another process has appended before this write.
      return movedBytes < copy.length ? undefined : copy.length
    },
  }
}

/** Returns the position of an open file description with O_APPEND, in bytes. */
function appendPosition(fd: number): number {
  try {
    const pos = /^pos:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, asLatin1))
    if (pos !== null) return Number(pos[1])
  } catch {
    // There is no procfs. The file's size is equivalent while no other process writes.
  }
  return fstatSync(fd).size
}

import { fstatSync, readFileSync, write } from 'node:fs'
import type { Descriptor } from '../fd/descriptor.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** A write slower than this, in ms, holds up the event loop: the next ones leave it. */
const SLOW_MILLIS = 20
/** An asynchronous write faster than this, in ms, … */
const FAST_MILLIS = 5
/** … so many times in a row, shows that the disk keeps up again. */
const FAST_WRITES = 8

/** Whether a file keeps up with synchronous writes. */
export class FilePace {
  slow = false
  private fastWrites = 0

  /** Takes note of how long a synchronous write took, in ms. */
  wroteSync(elapsed: number): void {
    if (elapsed > SLOW_MILLIS) this.slow = true
    this.fastWrites = 0
  }

  /** Takes note of how long an asynchronous write took, in ms. */
  wroteAsync(elapsed: number): void {
    this.fastWrites = elapsed < FAST_MILLIS ? this.fastWrites + 1 : 0
    if (this.fastWrites === FAST_WRITES) this.slow = false
  }
}

/** A write that the thread pool does. Of one file there is at most one at a time. */
export interface BackgroundWrite {
  /** What it was given: a copy. */
  readonly bytes: Uint8Array
  /**
   * How many bytes it has written, asked without the event loop: all of them, or undefined as long as that is not known. A
   * write moves the position of an appending description when it is done, to the file's end (POSIX write, O_APPEND). Where
   * the system takes a part, the thread goes on with the rest, so a position in between says nothing: only its callback
   * knows whether that failed.
   */
  written(): number | undefined
}

/**
 * Writes in the thread pool. Only for a file whose open file description is ours alone; never for a pipe, socket or
 * terminal, where a write that waits would keep `process.exit()` from ending.
 *
 * @param done is called once, in a later turn, also when `written` has told before.
 */
export function writeInBackground(
  descriptor: Descriptor,
  bytes: Uint8Array,
  done: (error: Error | null, written: number) => void,
): BackgroundWrite {
  const before = position(descriptor.fd)
  // A copy: the queue may reuse its buffer after an answer that was given without waiting for this write.
  const copy = Uint8Array.prototype.slice.call(bytes)
  write(descriptor.fd, copy, 0, copy.length, null, done)
  return {
    bytes: copy,
    written() {
      const moved = position(descriptor.fd) - before
      // More than our own length: another process appended in between, then our write came after it.
      return moved < copy.length ? undefined : copy.length
    },
  }
}

function position(fd: number): number {
  try {
    const pos = /^pos:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, asLatin1))
    if (pos !== null) return Number(pos[1])
  } catch {
    // No procfs: the size tells the same while we are the only writer.
  }
  return fstatSync(fd).size
}

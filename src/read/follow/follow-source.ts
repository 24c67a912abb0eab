import type { ByteSource } from '../input/byte-source.ts'
import { ChunkCounter } from '../input/chunk-counter.ts'
import { LineBuffer } from '../input/line-buffer.ts'
import type { FollowItem, FollowOptions } from './follow-item.ts'
import { isPartOfJson } from './part-of-json.ts'
import type { WakeUp } from './wake-up.ts'

const BUFFER_BYTES = 131_072
/** How long after the last lines an input is quiet, in ms. */
const QUIET_MILLIS = 50

/** A pipe, terminal or device that is followed. */
export interface FollowedSource {
  /** The open source. */
  source: ByteSource
  /** Opens the source again when all its writers have closed it; undefined if following ends then. */
  readonly reopen: (() => ByteSource) | undefined
}

/**
 * Follows a pipe. Lines are returned as they arrive; an incomplete line is returned after some time, unless it is a part of a
 * JSON object, and when its writer has closed the pipe.
 *
 * @param wakeUp - Is closed when following ends.
 */
export async function* followSource(
  followed: FollowedSource,
  options: FollowOptions,
  wakeUp: WakeUp,
): AsyncGenerator<FollowItem, undefined> {
  const { pollMillis = 100, incompleteLineMillis = 1_000 } = options
  const buffer = new LineBuffer(BUFFER_BYTES, false)
  const counter = new ChunkCounter(0, true)
  while (!wakeUp.isClosed) {
    let hasBytes = false
    for (;;) {
      buffer.makeRoom()
      const read = followed.source.read(buffer.bytes, buffer.end)
      let count = typeof read === 'number' ? read : await within(QUIET_MILLIS, read)
      if (count === undefined) {
        if (hasBytes) yield { event: 'quiet', message: 'there are no new lines' }
        count = await within(incompleteLineMillis - QUIET_MILLIS, read)
      }
      if (count === undefined) {
        if (buffer.length > 0 && !isPartOfJson(buffer.rest)) yield counter.next(buffer.takeAll(), false)
        count = await read
      }
      if (count === 0) break
      hasBytes = true
      buffer.end += count
      const lines = buffer.takeLines()
      if (lines !== undefined) yield counter.next(lines, false)
    }
    if (buffer.length > 0) yield counter.next(buffer.takeAll(), false)
    counter.endLine()
    if (hasBytes) yield { event: 'quiet', message: 'there are no new lines' }
    if (followed.reopen === undefined || wakeUp.isClosed) return
    yield { event: 'disconnected', message: 'its writers have closed it' }
    // Open it again before it is closed, so that a writer never finds it without a reader.
    const next = followed.reopen()
    followed.source.close()
    followed.source = next
    // On some systems, a named pipe without a writer ends immediately.
    if (!hasBytes) await wakeUp.wait(pollMillis)
  }
}

/** Returns the result of a promise, or undefined if it takes longer than a time in ms. */
async function within<T>(millis: number, promise: T | Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, millis), undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

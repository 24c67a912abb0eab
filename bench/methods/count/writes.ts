import type { Figures } from '../../figures.ts'
import type { Destination } from '../../run/destination.ts'

/** The write calls to one destination. */
export interface Writes {
  /** The calls that wrote something. */
  readonly calls: number
  readonly bytes: number
  /** The calls in `calls` that wrote only a part, because the destination was full. */
  readonly short: number
  /** The calls that wrote nothing because the destination was full (EAGAIN). */
  readonly refused: number
}

/** The longest write that is expected, in bytes. Other writers cannot interleave with PIPE_BUF bytes in a pipe. */
const longestWrite = (to: Destination): number => (to === 'pipe' ? 4_096 : 64 * 1024)
/** All records are logged in one turn of the event loop, whose last write may be shorter. */
const turns = 1

export function figuresOf({ calls, bytes, short, refused }: Writes, to: Destination): Figures {
  return {
    writes: calls,
    // Partial writes to a full pipe are reported separately.
    writesPerPiece: (calls - short) / (Math.ceil(bytes / longestWrite(to)) + turns),
    shortWrites: short,
    refusals: refused,
  }
}

// write(21</tmp/out.log>, ""..., 65581) = 65536
// writev(1</tmp/pipe>(deleted), [{iov_base=""..., iov_len=2}, {iov_base=""..., iov_len=2}], 2) = -1 EAGAIN (…)
const call = /^p?write(v?)\w*\(\d+<(.*?)>(?:\(deleted\))?, (.*)\) += (-?\d+)(?: (E\w+))?/

/** Finds the writes to a destination, named as in /proc, in the traces of all threads. */
export function writesIn(traces: readonly string[], destination: string): Writes {
  const path = destination.replace(/ \(deleted\)$/, '')
  const found = { calls: 0, bytes: 0, short: 0, refused: 0 }
  for (const line of traces.flatMap((trace) => trace.split('\n'))) {
    const [, vector, to, given, result, error] = call.exec(line) ?? []
    if (to !== path) continue
    const written = Number(result)
    if (written > 0) {
      found.calls++
      found.bytes += written
      if (written < (vector === 'v' ? lengthOfVector(given!) : lengthOf(given!))) found.short++
    } else if (error === 'EAGAIN') {
      found.refused++
    }
  }
  return found
}

/** Matches `""..., 65581`, or with a position `""..., 65581, 0`. */
const lengthOf = (given: string): number => Number(/, (\d+)/.exec(given)![1])

function lengthOfVector(given: string): number {
  let length = 0
  for (const [, part] of given.matchAll(/iov_len=(\d+)/g)) length += Number(part)
  return length
}

import type { Figures } from '../../figures.ts'
import type { Destination } from '../../run/destination.ts'

/** The calls that write to one destination. */
export interface Writes {
  /** Those that wrote something. */
  readonly calls: number
  readonly bytes: number
  /** Of `calls`, those that wrote less than they were given: the destination had no room for more. */
  readonly short: number
  /** Those that wrote nothing because there was no room at all (EAGAIN). */
  readonly refused: number
}

/** The longest write that is expected, in bytes. Other writers cannot interleave with PIPE_BUF bytes in a pipe. */
const longestWrite = (to: Destination): number => (to === 'pipe' ? 4_096 : 64 * 1024)
/** All records are logged in one turn of the event loop, at whose end a shorter write is possible. */
const turns = 1

export function figuresOf({ calls, bytes, short, refused }: Writes, to: Destination): Figures {
  return {
    writes: calls,
    // Writes that a full pipe has cut short are reported separately.
    writesPerPiece: (calls - short) / (Math.ceil(bytes / longestWrite(to)) + turns),
    shortWrites: short,
    refusals: refused,
  }
}

// write(21</tmp/out.log>, ""..., 65581) = 65536
// writev(1</tmp/pipe>(deleted), [{iov_base=""..., iov_len=2}, {iov_base=""..., iov_len=2}], 2) = -1 EAGAIN (…)
const call = /^p?write(v?)\w*\(\d+<(.*?)>(?:\(deleted\))?, (.*)\) += (-?\d+)(?: (E\w+))?/

/** Finds the writes to a destination, called as /proc calls it, in what strace wrote down thread by thread. */
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

/** `""..., 65581`, or with a position `""..., 65581, 0`. */
const lengthOf = (given: string): number => Number(/, (\d+)/.exec(given)![1])

function lengthOfVector(given: string): number {
  let length = 0
  for (const [, part] of given.matchAll(/iov_len=(\d+)/g)) length += Number(part)
  return length
}

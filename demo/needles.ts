export interface NeedleCounter {
  push(chunk: Buffer): void
  /** How often each needle occurred so far, in the order they were given. */
  readonly counts: readonly number[]
}

/** Counts byte strings in a stream of chunks, also where one lies across a border, each place once, overlapping ones too. */
export function createNeedleCounter(needles: readonly Buffer[]): NeedleCounter {
  const counts = needles.map(() => 0)
  const overlap = Math.max(0, ...needles.map((needle) => needle.length)) - 1
  let tail: Buffer = Buffer.alloc(0)

  return {
    counts,
    push(chunk) {
      const bytes = Buffer.concat([tail, chunk])
      for (const [index, needle] of needles.entries()) counts[index]! += countEndingAfter(tail.length, needle, bytes)
      tail = bytes.subarray(Math.max(0, bytes.length - overlap))
    },
  }
}

// What ends within the tail was counted with the chunk before.
function countEndingAfter(seen: number, needle: Buffer, bytes: Buffer): number {
  let count = 0
  let at = bytes.indexOf(needle, Math.max(0, seen - needle.length + 1))
  while (at >= 0) {
    count++
    at = bytes.indexOf(needle, at + 1)
  }
  return count
}

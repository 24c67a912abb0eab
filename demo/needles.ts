export interface NeedleCounter {
  push(chunk: Buffer): void
  /** The number of occurrences of each needle so far, in the given order. */
  readonly counts: readonly number[]
}

/** Counts byte strings in a stream of chunks, including those that overlap or cross a chunk boundary. */
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

// Occurrences that end within the tail were counted with the previous chunk.
function countEndingAfter(counted: number, needle: Buffer, bytes: Buffer): number {
  let count = 0
  let at = bytes.indexOf(needle, Math.max(0, counted - needle.length + 1))
  while (at >= 0) {
    count++
    at = bytes.indexOf(needle, at + 1)
  }
  return count
}

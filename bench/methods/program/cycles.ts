import type { Log } from '../../subjects/subject.ts'

/**
 * Does some work and logs a record, repeatedly. Returns the result of the work, so that the compiler cannot remove it.
 *
 * In a separate file, because loading the scenarios takes longer than the fastest of these programs.
 */
export const cycles = {
  string(log: Log, count: number): number {
    let sum = 0
    for (let i = 0; i < count; i++) {
      sum += Math.log(i + 1)
      log.text(`cycle ${i} is done`)
    }
    return sum
  },
  object(log: Log, count: number): number {
    let sum = 0
    for (let i = 0; i < count; i++) {
      sum += Math.log(i + 1)
      log.attributes('cycle done', { cycle: i, phase: 'sum', ok: true })
    }
    return sum
  },
} as const

export type CycleKind = keyof typeof cycles

/** Returns the result of the work without logging. */
export function sumOf(count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += Math.log(i + 1)
  return sum
}

import type { Log } from '../../subjects/subject.ts'

/**
 * Some work, and a record of it, so many times. Returns what the work came to, so that no compiler leaves it out.
 *
 * Apart from the scenarios, which would take longer to load than the fastest of these programs to run.
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

export type Logged = keyof typeof cycles

/** What the work comes to without a record. */
export function sumOf(count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += Math.log(i + 1)
  return sum
}

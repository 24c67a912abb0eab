import type { Log } from '../../subjects/subject.ts'
import type { BurstVariant } from './variant.ts'

/** In ms. */
export interface Lap {
  readonly loop: number
  readonly drain: number
}

/** Logs the records from `from` up to `to` at the variant's pace, and waits until they are written. */
export async function lap(variant: BurstVariant, log: Log, from: number, to: number): Promise<Lap> {
  const start = performance.now()
  const loop = to - from <= variant.perTurn ? atOnce(variant, log, from, to) : await inTurns(variant, log, from, to)
  await log.flush()
  return { loop, drain: performance.now() - start }
}

function atOnce(variant: BurstVariant, log: Log, from: number, to: number): number {
  const start = performance.now()
  variant.run(log, from, to)
  return performance.now() - start
}

async function inTurns(variant: BurstVariant, log: Log, from: number, to: number): Promise<number> {
  let loop = 0
  for (let at = from; at < to; at += variant.perTurn) {
    loop += atOnce(variant, log, at, Math.min(at + variant.perTurn, to))
    await nextTurn()
  }
  return loop
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

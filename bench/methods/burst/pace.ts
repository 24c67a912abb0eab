import type { Log } from '../../subjects/subject.ts'
import type { BurstVariant } from './variant.ts'

/** Times in ms. */
export interface Lap {
  readonly loop: number
  readonly drain: number
}

/** Logs the records from `from` to `to` at the pace of the variant, and waits until they are written. */
export async function lap(variant: BurstVariant, log: Log, from: number, to: number): Promise<Lap> {
  const start = performance.now()
  const loop =
    to - from <= variant.perTurn ? logGroup(variant, log, from, to) : await logInTurns(variant, log, from, to)
  await log.flush()
  return { loop, drain: performance.now() - start }
}

function logGroup(variant: BurstVariant, log: Log, from: number, to: number): number {
  const start = performance.now()
  variant.run(log, from, to)
  return performance.now() - start
}

async function logInTurns(variant: BurstVariant, log: Log, from: number, to: number): Promise<number> {
  let loop = 0
  for (let at = from; at < to; at += variant.perTurn) {
    loop += logGroup(variant, log, at, Math.min(at + variant.perTurn, to))
    await nextTurn()
  }
  return loop
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

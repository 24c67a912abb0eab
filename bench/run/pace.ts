import type { Scenario } from '../scenarios/scenario.ts'
import type { Log } from '../subjects/subject.ts'

/** In ms. */
export interface Lap {
  readonly loop: number
  readonly drain: number
}

/** Logs the records from `from` up to `to` at the scenario's pace, and waits until they are written. */
export async function lap(scenario: Scenario, log: Log, from: number, to: number): Promise<Lap> {
  const start = performance.now()
  const loop = to - from <= scenario.perTurn ? atOnce(scenario, log, from, to) : await inTurns(scenario, log, from, to)
  await log.flush()
  return { loop, drain: performance.now() - start }
}

function atOnce(scenario: Scenario, log: Log, from: number, to: number): number {
  const start = performance.now()
  scenario.run(log, from, to)
  return performance.now() - start
}

async function inTurns(scenario: Scenario, log: Log, from: number, to: number): Promise<number> {
  let loop = 0
  for (let at = from; at < to; at += scenario.perTurn) {
    loop += atOnce(scenario, log, at, Math.min(at + scenario.perTurn, to))
    await nextTurn()
  }
  return loop
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

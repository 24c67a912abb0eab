// Runs every callback in every mode, and writes the outcomes as lines of JSON. Optional arguments: a mode, and a part of a callback name.
import { writeSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { modes, type Mode } from './modes.ts'
import type { CallbackCase } from './harness.ts'
import { callbackCases } from './callback-cases.ts'

/** The outcome of one callback in one mode. */
export interface Outcome {
  readonly callback: string
  readonly mode: Mode
  /** The error that a log call threw. */
  readonly thrown: string | undefined
  /** Unhandled rejections and exceptions, which would end the process. */
  readonly unhandled: readonly string[]
  readonly arrived: readonly string[]
  readonly lost: number | undefined
}

let unhandled: string[] = []
process.on('unhandledRejection', (error) => unhandled.push(String(error)))
process.on('uncaughtException', (error) => unhandled.push(String(error?.stack ?? error)))

async function outcomeOf(callback: CallbackCase, mode: Mode): Promise<Outcome> {
  unhandled = []
  // The hook works while the logger is built, because errors during configuration propagate to the caller.
  let current: Mode | undefined
  const usual = callback.returns ?? (() => {})
  const state: { log?: ((message: string) => void) | undefined } = {}
  const built = await callback.build((...args) => modes[current ?? 'works'](() => usual(...args), state))
  state.log = built.log
  let thrown: string | undefined
  for (const [index, next] of [mode, undefined, undefined].entries()) {
    current = next
    try {
      await Promise.race([built.use(`use-${index}`), after(1_000)])
    } catch (error) {
      thrown = String((error as Error)?.stack ?? error)
    }
    await after(15)
  }
  return { callback: callback.name, mode, thrown, unhandled, arrived: built.arrived(), lost: built.lost?.() }
}

const [only, named = ''] = process.argv.slice(2)
for (const callback of callbackCases.filter(({ name }) => name.includes(named))) {
  for (const mode of Object.keys(modes) as Mode[]) {
    if (only && mode !== only) continue
    let outcome: Outcome
    try {
      outcome = await outcomeOf(callback, mode)
    } catch (error) {
      outcome = {
        callback: callback.name,
        mode,
        thrown: `build: ${String((error as Error).stack)}`,
        unhandled,
        arrived: [],
        lost: 0,
      }
    }
    writeSync(1, `${JSON.stringify(outcome)}\n`)
  }
}
process.exit()

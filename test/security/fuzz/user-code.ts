import { setTimeout as after } from 'node:timers/promises'
import * as fc from 'fast-check'
import { modes, type Mode } from '../user-code/modes.ts'
import { callbackCases } from '../user-code/callback-cases.ts'
import { target, type Target } from './target.ts'

/** With an exporter that never settles, later records stay in the queue, so that mode cannot be checked. */
const answering = (Object.keys(modes) as Mode[]).filter((mode) => mode !== 'never answers')

const input = fc.record({
  callback: fc.constantFrom(...callbackCases.map(({ name }) => name)),
  modes: fc.array(fc.constantFrom(...answering), { minLength: 1, maxLength: 6 }),
})

/**
 * User code that behaves differently each time it runs, synchronously or asynchronously: no log call throws, no rejection is
 * unhandled, and later records arrive.
 */
export const userCode: Target<unknown> = target('user-code', input, async ({ callback: name, modes: given }) => {
  const callback = callbackCases.find((each) => each.name === name)!
  const usual = callback.returns ?? (() => {})
  const unhandled: unknown[] = []
  const onRejection = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', onRejection)
  try {
    let mode: Mode = 'works'
    const state: { log?: (message: string) => void } = {}
    const built = await callback.build((...args) => modes[mode](() => usual(...args), state))
    if (built.log !== undefined) state.log = built.log
    for (const each of given) {
      mode = each
      await built.use('use-0')
    }
    // Wait until delayed rejections have happened.
    await after(10)
    mode = 'works'
    await built.use('use-1')
    await built.use('use-2')
    await after(1)
    if (unhandled.length > 0) throw new Error(`${name}: ${unhandled.length} rejections were not handled`)
    if (!built.arrived().includes('use-2')) throw new Error(`${name}: logging stopped after ${given.join(', ')}`)
  } finally {
    process.off('unhandledRejection', onRejection)
  }
})

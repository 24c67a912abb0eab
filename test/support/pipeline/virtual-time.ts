/**
 * Replaces the timers and the monotonic clock of the child process that imports this file before anything from src/. Time then
 * passes only inside `timeOf`, so that a test measures a wait of seconds exactly and without waiting.
 */
import { syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import timers from 'node:timers'

interface Timer {
  readonly at: number
  readonly callback: () => void
}

const pending = new Set<Timer>()
let now = 0

function setVirtualTimeout(callback: () => void, millis = 0) {
  const timer = { at: now + millis, callback, ref: () => timer, unref: () => timer }
  pending.add(timer)
  return timer
}

performance.now = () => now
Object.assign(timers, {
  setTimeout: setVirtualTimeout,
  clearTimeout: (timer: Timer) => void pending.delete(timer),
})
syncBuiltinESMExports()

/** Advances time from timer to timer until a promise settles. Returns the time at which it did, in ms. */
export async function timeOf(promise: Promise<unknown>): Promise<number> {
  let isSettled = false
  const settle = () => void (isSettled = true)
  void promise.then(settle, settle)
  for (;;) {
    // Everything that needs no timer runs first.
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    if (isSettled) return now
    const next = [...pending].toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined) throw new Error('the promise is pending, and no timer is')
    pending.delete(next)
    now = next.at
    next.callback()
  }
}

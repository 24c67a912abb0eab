import * as timers from 'node:timers'
import type { Delay } from '../../lifecycle/platform.ts'

// Read at load, so that a test runner's fake timers, installed later, can neither stop nor speed up delivery.
const { setImmediate, clearImmediate, setTimeout, clearTimeout } = timers
const { performance } = globalThis
const now = performance.now.bind(performance)
const enqueue = queueMicrotask
/** The longest delay of a Node timer, in ms: about 24 days. A longer one would fire immediately. */
const maxDelayMillis = 2 ** 31 - 1

/**
 * Runs a callback once the current event-loop turn has done its I/O. Until then the process stays alive.
 *
 * @returns A function that cancels it.
 */
export function endOfTurn(callback: () => void): () => void {
  const immediate = setImmediate(callback)
  return () => clearImmediate(immediate)
}

/** Runs a callback before the event loop continues. */
export function microtask(callback: () => void): void {
  enqueue(callback)
}

/**
 * Runs a callback after a delay. This does not keep the process alive unless `keepAlive(true)` is called.
 *
 * @param milliseconds - At least 1; smaller values count as 1, and values above `maxDelayMillis` as that.
 */
export function delay(milliseconds: number, callback: () => void): Delay {
  const timer = setTimeout(callback, Math.min(milliseconds, maxDelayMillis)).unref()
  return {
    cancel: () => clearTimeout(timer),
    keepAlive: (alive) => void (alive ? timer.ref() : timer.unref()),
  }
}

/** Runs a callback as `endOfTurn` does, but returns a `Delay`. It always keeps the process alive: its `keepAlive` has no effect. */
export function endOfTurnDelay(callback: () => void): Delay {
  const cancel = endOfTurn(callback)
  return { cancel, keepAlive: () => {} }
}

/** Returns the time of `performance.now()` in ms, so that custom exporters can compare deadlines with that function's result. */
export function monotonic(): number {
  return now()
}

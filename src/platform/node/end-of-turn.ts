import * as timers from 'node:timers'
import type { Delay } from '../../lifecycle/platform.ts'

// Taken at load, so that a test runner's fake timers, installed later, can neither stop nor rush delivery.
const { setImmediate, clearImmediate, setTimeout, clearTimeout } = timers
const { performance } = globalThis
const now = performance.now.bind(performance)
const enqueue = queueMicrotask
/** The longest wait that a timer of Node can hold, in ms: some 24 days. What is longer would end at once. */
const longest = 2 ** 31 - 1

/**
 * Runs a callback once the current event-loop turn has done its I/O. Until then the process stays alive.
 *
 * @returns a function that calls it off.
 */
export function endOfTurn(callback: () => void): () => void {
  const immediate = setImmediate(callback)
  return () => clearImmediate(immediate)
}

/** Runs a callback before the event loop goes on. */
export function microtask(callback: () => void): void {
  enqueue(callback)
}

/**
 * Runs a callback after a delay. The process need not stay alive for it unless `keepAlive(true)` is called.
 *
 * @param milliseconds at least 1; less counts as 1.
 */
export function delay(milliseconds: number, callback: () => void): Delay {
  const timer = setTimeout(callback, Math.min(milliseconds, longest)).unref()
  return {
    cancel: () => clearTimeout(timer),
    keepAlive: (alive) => void (alive ? timer.ref() : timer.unref()),
  }
}

/** Runs a callback in the next turn of the event loop, as a wait that can be called off. */
export function nextTurn(callback: () => void): Delay {
  const cancel = endOfTurn(callback)
  return { cancel, keepAlive: () => {} }
}

/** Milliseconds since the process started, as `performance.now()` has them: exporters of users compare deadlines with it. */
export function monotonic(): number {
  return now()
}

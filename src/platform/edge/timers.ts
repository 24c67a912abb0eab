import type { Delay } from '../../lifecycle/platform.ts'
import { member } from '../../options/own-members.ts'

// Taken at load, so that a test runner's fake timers, installed later, can neither stop nor rush delivery.
const { setTimeout, clearTimeout, performance } = globalThis
const enqueue = queueMicrotask
/** The longest wait that a timer can hold, in ms: some 24 days. What is longer would end at once. */
const longest = 2 ** 31 - 1

/**
 * Runs a callback in a later turn of the event loop.
 *
 * @returns a function that calls it off.
 */
export function endOfTurn(callback: () => void): () => void {
  const timer = timerOf(0, callback)
  return () => clearTimeout(timer)
}

/** Runs a callback before the event loop goes on. */
export function microtask(callback: () => void): void {
  enqueue(callback)
}

/**
 * Runs a callback after a delay in ms. Where this is a process that timers keep alive, this one does only when
 * `keepAlive(true)` was called.
 */
export function delay(milliseconds: number, callback: () => void): Delay {
  const timer = timerOf(Math.min(milliseconds, longest), callback)
  const keepAlive = (alive: boolean): void => callTimer(timer, alive ? 'ref' : 'unref')
  keepAlive(false)
  return { cancel: () => clearTimeout(timer), keepAlive }
}

/** Milliseconds that never jump with the wall clock. In some runtimes they stand still while a program computes. */
export function monotonic(): number {
  return performance.now()
}

/** A number in browsers, where nothing keeps anything alive. */
type Timer = ReturnType<typeof setTimeout> & { ref?(): unknown; unref?(): unknown }

function callTimer(timer: Timer | undefined, name: 'ref' | 'unref'): void {
  // Browsers have numbers, and a number inherits from Object.prototype.
  if (typeof timer === 'object') member(timer, name)?.call(timer)
}

/** Cloudflare Workers have no timers outside of a request, and throw: what waits then goes out with the next flush. */
function timerOf(milliseconds: number, callback: () => void): Timer | undefined {
  try {
    return setTimeout(callback, milliseconds)
  } catch {
    return undefined
  }
}

import type { Delay } from '../../lifecycle/platform.ts'
import { member } from '../../options/own-members.ts'

// Read at load, so that a test runner's fake timers, installed later, can neither stop nor speed up delivery.
const { setTimeout, clearTimeout, performance } = globalThis
const enqueue = queueMicrotask
/** The longest delay of a timer, in ms: about 24 days. A longer one would fire immediately. */
const maxDelayMillis = 2 ** 31 - 1

/**
 * Runs a callback after this turn of the event loop, in a later one, because edge runtimes have no function for the end of a turn.
 *
 * @returns A function that cancels it.
 */
export function endOfTurn(callback: () => void): () => void {
  const timer = startTimer(0, callback)
  return () => clearTimeout(timer)
}

/** Runs a callback before the event loop continues. */
export function microtask(callback: () => void): void {
  enqueue(callback)
}

/**
 * Runs a callback after a delay in ms. In runtimes where timers keep the process alive, this one does only after
 * `keepAlive(true)`.
 */
export function delay(milliseconds: number, callback: () => void): Delay {
  const timer = startTimer(Math.min(milliseconds, maxDelayMillis), callback)
  const keepAlive = (alive: boolean): void => callTimer(timer, alive ? 'ref' : 'unref')
  keepAlive(false)
  return { cancel: () => clearTimeout(timer), keepAlive }
}

/** Returns monotonic time in ms. In some runtimes it does not advance while a program computes. */
export function monotonic(): number {
  return performance.now()
}

/** A timer. In browsers it is a number, and nothing keeps a page alive. */
type Timer = ReturnType<typeof setTimeout> & { ref?(): unknown; unref?(): unknown }

function callTimer(timer: Timer | undefined, name: 'ref' | 'unref'): void {
  // In browsers a timer is a number. It has neither method, but would inherit one from a polluted Object.prototype.
  if (typeof timer === 'object') member(timer, name)?.call(timer)
}

/**
 * Starts a timer. Returns undefined if the runtime throws, as Cloudflare Workers does outside of a request: queued records are
 * then sent with the next flush.
 */
function startTimer(milliseconds: number, callback: () => void): Timer | undefined {
  try {
    return setTimeout(callback, milliseconds)
  } catch {
    return undefined
  }
}

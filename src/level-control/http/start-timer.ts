import { member } from '../../options/own-members.ts'

// Read at load, so that a test runner's fake timers, installed later, cannot stop it.
const { setTimeout, clearTimeout } = globalThis

/**
 * Calls a function after a delay in ms. The process does not stay alive for it.
 *
 * @returns a function that cancels it
 */
export function startTimer(millis: number, callback: () => void): () => void {
  const timer: unknown = setTimeout(callback, millis)
  // In browsers and workers a timer is a number.
  if (typeof timer === 'object' && timer !== null) member(timer as { unref?(): unknown }, 'unref')?.call(timer)
  return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
}

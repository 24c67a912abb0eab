import type { Method } from './interceptors.ts'

/** Returns a trace as `console.trace` prints it: the message, and the stack frames of the callers of a function. */
export function stackOf(message: string, calledFunction: Method): string {
  const trace = { name: 'Trace', message, stack: undefined as unknown }
  Error.captureStackTrace(trace, calledFunction)
  return String(trace.stack) // a custom Error.prepareStackTrace may return any value
}

import type { Method } from './hooks.ts'

/** Returns a trace as `console.trace` prints it: the message, and the stack frames above a function. */
export function stackOf(message: string, above: Method): string {
  const trace = { name: 'Trace', message, stack: undefined as unknown }
  Error.captureStackTrace(trace, above)
  return String(trace.stack) // a custom Error.prepareStackTrace may return any value
}

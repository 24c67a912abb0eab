import type { Method } from './hooks.ts'

/** As `console.trace` makes it: the message, and the frames above a function. */
export function stackOf(message: string, above: Method): string {
  const trace = { name: 'Trace', message, stack: undefined as unknown }
  Error.captureStackTrace(trace, above)
  return String(trace.stack) // or whatever the program's own Error.prepareStackTrace makes
}

import type { Diagnostic } from '../options/configuration-error.ts'
import { thrownName } from '../values/thrown-marker.ts'

/** Thrown when a user's handler violates its contract. The message contains no logged values. */
export class HandlerMisuse extends TypeError {}

/** Returns the error of a level that the logger does not have. */
export function unknownLevelMisuse(levels: ReadonlyMap<string, number>): HandlerMisuse {
  return new HandlerMisuse(`the handler set an unknown level; valid levels are ${[...levels.keys()].join(', ')}`)
}

export const forwardedLate: Diagnostic = {
  code: 'SLUICE_HANDLER_LATE',
  message:
    'the handler called next.handle() after handle() had returned, so the record counts as filtered; call it before',
}

/** Returns the diagnostic of a handler that threw. */
export function handlerThrew(thrown: unknown): Diagnostic {
  return handlerFailed(
    thrown,
    (name) =>
      `the handler threw (${name}); the record is written unchanged, unless it was already passed to next.handle()`,
  )
}

/** Returns the diagnostic of a handler whose promise rejected. */
export function promiseRejected(reason: unknown): Diagnostic {
  return handlerFailed(
    reason,
    (name) =>
      `the handler returned a promise that rejected (${name}); handlers must be synchronous. A record not passed to next.handle() counts as filtered`,
  )
}

/** Returns the diagnostic of a function that a handler passed to `delay` or `onFlush`, and that threw or rejected. */
export function callbackFailed(thrown: unknown): Diagnostic {
  return handlerFailed(
    thrown,
    (name) => `a function that the handler passed to delay() or onFlush() threw, or its promise rejected (${name})`,
  )
}

/** Names the error only: its message may contain a secret that a rule redacts. */
function handlerFailed(thrown: unknown, messageWith: (name: string) => string): Diagnostic {
  return { code: 'SLUICE_HANDLER_FAILED', message: misuseMessage(thrown) ?? messageWith(thrownName(thrown)) }
}

function misuseMessage(thrown: unknown): string | undefined {
  try {
    return thrown instanceof HandlerMisuse ? thrown.message : undefined
  } catch {
    return undefined // `thrown` is a proxy that throws.
  }
}

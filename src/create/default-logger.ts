import { createLogger } from './create-logger.ts'
import { captureKey } from '../handler/record-capture.ts'
import { eventKey } from '../logger/events.ts'
import { patternsKey, emitCallKey } from '../logger/log-call.ts'
import type { RootLogger } from '../logger/types.ts'
import { define } from '../options/define-member.ts'

const place = Symbol.for('sluice/v1/logger')

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const others = [
  'level',
  'isLevelEnabled',
  'child',
  'flush',
  'flushSync',
  'stats',
  'shutdown',
  Symbol.asyncDispose,
  eventKey,
  emitCallKey,
  patternsKey,
  captureKey,
] as const

/**
 * The logger for whoever needs no other: to the standard output, configured by the environment alone. It is made when it is
 * first used, so that importing this package does nothing; all copies of the package in a process share one.
 */
export const logger: RootLogger = lazy(() => {
  const shared = globalThis as { [place]?: RootLogger }
  if (shared[place] === undefined) define(shared, place, { value: createLogger() })
  return shared[place]!
})

/** An object that becomes the logger, members and all, when one of them is first asked for. */
function lazy(make: () => RootLogger): RootLogger {
  const target: Record<PropertyKey, unknown> = {}
  const become = () => {
    const made = make()
    for (const key of Reflect.ownKeys(made)) define(target, key, Object.getOwnPropertyDescriptor(made, key)!)
    return target
  }
  for (const member of [...levels, ...others]) {
    define(target, member, {
      configurable: true,
      enumerable: true,
      get: () => become()[member],
      set(value: unknown) {
        become()[member] = value
      },
    })
  }
  return target as unknown as RootLogger
}

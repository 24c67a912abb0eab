import { createLogger } from './create-logger.ts'
import { captureKey } from '../handler/record-capture.ts'
import { eventKey } from '../logger/events.ts'
import { patternsKey, emitCallKey } from '../logger/log-call.ts'
import type { RootLogger } from '../logger/types.ts'
import { define } from '../options/define-member.ts'

const registryKey = Symbol.for('sluice/v1/logger')

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
 * The preconfigured default logger. It writes to standard output and is configured only by the environment. It is created on
 * first use, so that importing this package has no side effects; all copies of the package in a process share one.
 */
export const logger: RootLogger = lazy(() => {
  const shared = globalThis as { [registryKey]?: RootLogger }
  if (shared[registryKey] === undefined) define(shared, registryKey, { value: createLogger() })
  return shared[registryKey]!
})

/** Returns an object that gets all members of the logger when one of them is first used. */
function lazy(create: () => RootLogger): RootLogger {
  const target: Record<PropertyKey, unknown> = {}
  const initialize = () => {
    const created = create()
    for (const key of Reflect.ownKeys(created)) define(target, key, Object.getOwnPropertyDescriptor(created, key)!)
    return target
  }
  for (const member of [...levels, ...others]) {
    define(target, member, {
      configurable: true,
      enumerable: true,
      get: () => initialize()[member],
      set(value: unknown) {
        initialize()[member] = value
      },
    })
  }
  return target as unknown as RootLogger
}

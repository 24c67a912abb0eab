import { createLogger } from './create-logger.ts'
import { captureKey } from '../handler/record-capture.ts'
import { eventKey } from '../logger/events.ts'
import { commonMemberNames } from '../logger/levels.ts'
import { patternsKey, emitCallKey } from '../logger/log-call.ts'
import type { RootLogger } from '../logger/types.ts'
import { define } from '../options/define-member.ts'

const registryKey = Symbol.for('sluice/v1/logger')

const logMethodNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const lazyMembers = [
  ...logMethodNames,
  ...commonMemberNames,
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
export const logger: RootLogger = lazyLogger(() => {
  const shared = globalThis as { [registryKey]?: RootLogger }
  if (shared[registryKey] === undefined) define(shared, registryKey, { value: createLogger() })
  return shared[registryKey]!
})

/** Returns an object that receives all members of the created logger when one of them is first read or set. */
function lazyLogger(create: () => RootLogger): RootLogger {
  const target: Record<PropertyKey, unknown> = {}
  const initialize = () => {
    const created = create()
    for (const key of Reflect.ownKeys(created)) define(target, key, Object.getOwnPropertyDescriptor(created, key)!)
    return target
  }
  for (const member of lazyMembers) {
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

import { define } from '../options/define-member.ts'
import { emit, emitEvent, emitLogCall } from './emit.ts'
import { eventKey, type EventDefinition } from './events.ts'
import type { Levels } from './levels.ts'
import type { LoggerState } from './logger-state.ts'
import { patternsKey, emitCallKey, type LogCall } from './log-call.ts'
import type { FlushOptions } from './types.ts'

/** The key of a logger object's state. */
export const stateKey: unique symbol = Symbol('sluice.logger') as never

/** An object that has a state, itself or by inheritance, as the result of `Object.create(log)` does. */
export interface HasState {
  readonly [stateKey]: LoggerState
}

/** Creates a member of a logger: a function that works detached. */
type MemberFactory = (state: LoggerState) => unknown

type LogFunction = (first?: unknown, second?: unknown, ...rest: unknown[]) => void

/** Returns the factories of the members of loggers with these levels. The position of a member is its index in `LoggerState.members`. */
export function memberFactories(levels: Levels): Map<PropertyKey, MemberFactory> {
  const factories = new Map<PropertyKey, MemberFactory>()
  for (const [name, severity] of levels.severities) {
    factories.set(
      name,
      name === 'fatal' ? (state) => fatalMethod(state, severity) : (state) => levelMethod(state, severity, name),
    )
  }
  for (const [name, factory] of commonMembers) if (!factories.has(name)) factories.set(name, factory)
  return factories
}

const commonMembers: readonly (readonly [PropertyKey, MemberFactory])[] = [
  ['silent', () => () => {}],
  [
    'isLevelEnabled',
    (state) => (name: string) => state.isEnabled(state.settings.core.levels.severities.get(name) ?? 0),
  ],
  [
    'flush',
    ({ settings }) =>
      (options?: FlushOptions) =>
        settings.core.flush(options),
  ],
  [
    'flushSync',
    ({ settings }) =>
      (timeoutMillis?: number) =>
        settings.core.flushSync(timeoutMillis),
  ],
  [
    'stats',
    ({ settings }) =>
      () =>
        settings.core.stats(),
  ],
  [
    eventKey,
    (state) => (definition: EventDefinition, attributes: object | undefined, error: unknown) =>
      emitEvent(state, definition, attributes, error),
  ],
  [emitCallKey, (state) => (level: string, call: LogCall) => emitLogCall(state, level, call)],
  [
    patternsKey,
    ({ settings }) =>
      () =>
        settings.rules.redaction.patterns,
  ],
]

/**
 * Defines a member on a prototype. Its function is created when it is first read, and is bound to the logger that it is read
 * from, so that it works detached. Assigning to the member replaces it on that object.
 */
export function defineMember(prototype: object, key: PropertyKey, index: number, factory: MemberFactory): void {
  const unboundMember = createUnboundMember(index, factory)
  define(prototype, key, {
    get(this: Partial<HasState> | undefined): unknown {
      const state = this?.[stateKey]
      // The getter was called on the prototype itself, or by a spy library.
      if (state === undefined) return unboundMember
      const { members } = state
      return members !== undefined && members[index] !== undefined
        ? members[index]
        : createMember(state, index, factory)
    },
    set(this: object, value: unknown): void {
      define(this, key, { value, writable: true, enumerable: true, configurable: true })
    },
    enumerable: false,
    configurable: true,
  })
}

/** Creates the value of a member that is read from the prototype: a function that uses the logger that it is called on. */
function createUnboundMember(index: number, factory: MemberFactory): (...values: unknown[]) => unknown {
  return function (this: Partial<HasState> | undefined, ...values) {
    const state = this?.[stateKey]
    if (state === undefined) return undefined
    const member = state.members?.[index] ?? createMember(state, index, factory)
    return (member as (...values: unknown[]) => unknown)(...values)
  }
}

/** Creates a member and stores it in the state. */
function createMember(state: LoggerState, index: number, factory: MemberFactory): unknown {
  const { members } = state
  const member = factory(state)
  // A new array has places for the six standard level methods, and no holes, in which a value on Array.prototype would be read.
  const storedMembers = (state.members = members ?? [undefined, undefined, undefined, undefined, undefined, undefined])
  while (storedMembers.length <= index) storedMembers.push(undefined)
  storedMembers[index] = member
  return member
}

// A rest parameter would create an array before the level is tested: 32 bytes and 4 ns for each disabled call.
/* oxlint-disable prefer-rest-params, func-style */

/** Returns the log method of a level. */
function levelMethod(state: LoggerState, severity: number, level: string): LogFunction {
  return function (first?: unknown, second?: unknown) {
    if (severity < state.level.threshold) return
    let rest = noRest
    if (arguments.length > 2) {
      rest = []
      for (let i = 2; i < arguments.length; i++) rest.push(arguments[i])
    }
    emit(state, severity, level, first, second, rest)
  }
}

/** Returns the log method of the level FATAL. The process usually exits after it, so queued records are written before the call returns. */
function fatalMethod(state: LoggerState, severity: number): LogFunction {
  return function (first?: unknown, second?: unknown) {
    if (severity < state.level.threshold) return
    let rest = noRest
    if (arguments.length > 2) {
      rest = []
      for (let i = 2; i < arguments.length; i++) rest.push(arguments[i])
    }
    emit(state, severity, 'fatal', first, second, rest)
    try {
      state.settings.core.flushSync(undefined)
    } catch {
      // The stack is exhausted; the record is queued.
    }
  }
}

const noRest: unknown[] = []

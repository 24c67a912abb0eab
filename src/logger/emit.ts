import { ownCopy } from '../options/own-members.ts'
import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { dropReasons } from '../pipeline/counters.ts'
import type { BoundState } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import { readClock } from '../record/time.ts'
import type { Rules } from '../values/record-rules.ts'
import { thrownError } from '../values/thrown-error.ts'
import { readArguments } from './arguments.ts'
import { withContextAttributes } from './bound.ts'
import type { EventKind } from './events.ts'
import type { LoggerCore } from './logger-core.ts'
import type { LoggerSettings, LoggerState } from './logger-state.ts'
import type { LogCall } from './log-call.ts'

/**
 * Makes what records of somebody else's logger go through: they belong to a family as those of its own loggers do. `fill` says what
 * the record says; it may run code of users, and never throws into the caller.
 */
export function recordEmitter(core: LoggerCore, handler: RecordHandler, rules: Rules, bound: BoundState): EmitRecord {
  const settings = { core, rules, resolver: new Resolver(rules), span: core.activeSpan }
  return (severity, level, fill) => {
    try {
      const record = newRecord(settings, bound, severity, level)
      fill(record)
      handler.handle(record)
    } catch {
      countLost(core, severity)
    }
  }
}

/** Emits one record of a severity, with the level's name. */
export type EmitRecord = (severity: number, level: string, fill: (record: LogRecord) => void) => void

/** What a level method was called with becomes a record. Never throws. */
export function emit(
  state: LoggerState,
  severity: number,
  level: string,
  first: unknown,
  second: unknown,
  rest: readonly unknown[],
): void {
  try {
    const record = newRecord(state.settings, state, severity, level)
    readArguments(record, first, second, rest)
    state.settings.handler.handle(record)
  } catch {
    countLost(state.settings.core, severity)
  }
}

/** An event says nothing but what it was defined to say: no argument has to find its place. */
export function emitEvent(
  state: LoggerState,
  { name, level, severity, message }: EventKind,
  attributes: object | undefined,
  error: unknown,
): void {
  if (severity < state.level.threshold) return
  try {
    const record = newRecord(state.settings, state, severity, level)
    record.eventName = name
    record.body = message
    record.attributes = attributes ?? undefined
    record.exception = thrownError(error)
    state.settings.handler.handle(record)
    if (level === 'fatal') state.settings.core.flushSync(undefined)
  } catch {
    countLost(state.settings.core, severity)
  }
}

/** What a front says has its places already. */
export function emitLogCall(state: LoggerState, level: string, call: LogCall): void {
  const { body, args, attributes, exception, extra } = ownCopy(call)
  const severity = state.settings.core.levels.severities.get(level)
  if (severity === undefined || severity < state.level.threshold) return
  try {
    const record = newRecord(state.settings, state, severity, level)
    record.body = body
    record.literal = true
    record.args = args
    record.attributes = attributes
    record.exception = exception
    record.extra = extra
    state.settings.handler.handle(record)
    if (level === 'fatal') state.settings.core.flushSync(undefined)
  } catch {
    countLost(state.settings.core, severity)
  }
}

type RecordSettings = Pick<LoggerSettings, 'core' | 'span' | 'rules' | 'resolver'>

/** Creates a record with only its context and timestamp set. */
function newRecord(
  { core, span, rules, resolver }: RecordSettings,
  own: BoundState,
  severity: number,
  level: string,
): LogRecord {
  const context = core.context()
  const bound = context === undefined ? own : withContextAttributes(own, context, resolver, rules.limits.attributes)
  return {
    time: readClock(core.clock),
    exact: undefined,
    severity,
    level,
    body: undefined,
    literal: false,
    args: undefined,
    extra: undefined,
    attributes: undefined,
    droppedAttributes: bound.droppedAttributes,
    exception: undefined,
    span: span === undefined ? undefined : span(),
    eventName: undefined,
    bound,
    enriched: undefined,
  }
}

/**
 * A record that no handler has counted: what throws up to here is an exhausted stack, since handlers must not throw. Nothing
 * is called: a call would end as the record did.
 */
function countLost({ allCounters }: LoggerCore, severity: number): void {
  for (let i = 0; i < allCounters.length; i++) {
    const counters = allCounters[i]!
    counters.emitted++
    counters.accepted++
    counters.droppedTotal++
    counters.droppedByReason[notEncoded]!++
    counters.droppedByLevel[severity < 1 ? 2 : (severity - 1) >> 2]!++
  }
}

const notEncoded = dropReasons.indexOf('not_encoded')

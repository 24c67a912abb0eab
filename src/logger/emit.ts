import { ownCopy } from '../options/own-members.ts'
import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { notEncoded } from '../pipeline/counters.ts'
import type { BoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
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
 * Creates a function that emits the records of another library's logger with the settings of a logger of this package. `fill`
 * sets the contents of the record; it may run user code, and its errors never reach the caller.
 */
export function recordEmitter(core: LoggerCore, handler: RecordHandler, rules: Rules, bound: BoundState): EmitRecord {
  const settings = { core, rules, resolver: new Resolver(rules), span: core.activeSpan }
  return (severity, level, fill) => {
    try {
      const record = contextRecord(settings, bound, severity, level)
      fill(record)
      handler.handle(record)
    } catch {
      countLost(core, severity)
    }
  }
}

/** Emits one record with a severity number and the name of its level. */
export type EmitRecord = (severity: number, level: string, fill: (record: LogRecord) => void) => void

/** Emits the record of a call of a level method. Never throws. */
export function emit(
  state: LoggerState,
  severity: number,
  level: string,
  first: unknown,
  second: unknown,
  rest: readonly unknown[],
): void {
  try {
    const record = contextRecord(state.settings, state, severity, level)
    readArguments(record, first, second, rest)
    state.settings.handler.handle(record)
  } catch {
    countLost(state.settings.core, severity)
  }
}

/** Emits a defined event. Its values are already assigned to the record's fields, so no arguments are parsed. */
export function emitEvent(
  state: LoggerState,
  { name, level, severity, message }: EventKind,
  attributes: object | undefined,
  error: unknown,
): void {
  if (severity < state.level.threshold) return
  try {
    const record = contextRecord(state.settings, state, severity, level)
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

/** Emits a call of a compat API, whose arguments are already parsed. */
export function emitLogCall(state: LoggerState, level: string, call: LogCall): void {
  const { body, args, attributes, exception, extra } = ownCopy(call)
  const severity = state.settings.core.levels.severities.get(level)
  if (severity === undefined || severity < state.level.threshold) return
  try {
    const record = contextRecord(state.settings, state, severity, level)
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

/** Creates a record with the attributes of the context and the active span. */
function contextRecord(
  { core, span, rules, resolver }: RecordSettings,
  own: BoundState,
  severity: number,
  level: string,
): LogRecord {
  const context = core.context()
  const bound = context === undefined ? own : withContextAttributes(own, context, resolver, rules.limits.attributes)
  const record = newRecord(readClock(core.clock), severity, level, bound)
  if (span !== undefined) record.span = span()
  return record
}

/**
 * Counts a record as dropped that no handler has counted. Only an exhausted stack throws up to here, since handlers must not
 * throw. No function is called, because a call would fail like the record.
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

import { withoutPrototype } from '../options/own-members.ts'
import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { notEncodedIndex } from '../pipeline/counters.ts'
import type { BoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { readClock } from '../record/time.ts'
import type { Rules } from '../values/record-rules.ts'
import { thrownError } from '../values/thrown-error.ts'
import { readArguments } from './arguments.ts'
import { withContextAttributes } from './context-attributes.ts'
import type { EventDefinition } from './events.ts'
import { isRecorded, type LoggerCoreState } from './logger-core.ts'
import type { LoggerSettings, LoggerState } from './logger-state.ts'
import type { LogCall } from './log-call.ts'

/**
 * Creates a function that emits the records of another library's logger with the settings of a logger of this package. `fill`
 * sets the contents of the record; it may run user code, and its errors never reach the caller.
 */
export function createEmitRecord(
  core: RecordCore,
  handler: RecordHandler,
  rules: Rules,
  bound: BoundState,
): EmitRecord {
  const settings = { core, rules, resolver: new Resolver(rules), currentSpan: core.activeSpan }
  return (severity, level, fill) => {
    try {
      const record = createRecord(settings, bound, severity, level)
      fill(record)
      handler.handle(record)
    } catch {
      countAsDropped(core, severity)
    }
  }
}

/** The parts of a logger's core that are necessary to create a record. */
export type RecordCore = Pick<LoggerCoreState, 'allCounters' | 'activeSpan' | 'clock' | 'contextAttributes'>

/** Emits one record with a severity number and the name of its level. */
export type EmitRecord = (severity: number, level: string, fill: (record: LogRecord) => void) => void

/** Emits the record of a call of a level method whose severity is at least the threshold of the logger. Never throws. */
export function emit(
  state: LoggerState,
  severity: number,
  level: string,
  first: unknown,
  second: unknown,
  rest: readonly unknown[],
): void {
  try {
    const isWritten = severity >= state.level.certainThreshold || state.level.isEnabledFor(severity, state)
    if (!isWritten && !isRecorded(state.settings.core.recorder, severity)) return
    const record = createRecord(state.settings, state, severity, level)
    readArguments(record, first, second, rest)
    if (isWritten) state.settings.handler.handle(record)
    else state.settings.handler.hold!(record)
  } catch {
    countAsDropped(state.settings.core, severity)
  }
}

/** Emits a defined event if its level is enabled. Its attributes and error are separate parameters, so no arguments are parsed. */
export function emitEvent(
  state: LoggerState,
  { name, level, severity, message }: EventDefinition,
  attributes: object | undefined,
  error: unknown,
): void {
  if (severity < state.level.threshold) return
  try {
    const isWritten = severity >= state.level.certainThreshold || state.level.isEnabledFor(severity, state)
    if (!isWritten && !isRecorded(state.settings.core.recorder, severity)) return
    const record = createRecord(state.settings, state, severity, level)
    record.eventName = name
    record.body = message
    record.attributes = attributes ?? undefined
    record.exception = thrownError(error)
    if (isWritten) state.settings.handler.handle(record)
    else state.settings.handler.hold!(record)
  } catch {
    countAsDropped(state.settings.core, severity)
  }
  if (level !== 'fatal') return
  try {
    state.settings.core.flushSync(undefined)
  } catch {
    // The stack is exhausted; the record is queued.
  }
}

/** Emits a call whose arguments are already parsed. Does nothing if the logger has no such level or it is disabled. */
export function emitLogCall(state: LoggerState, level: string, call: LogCall): void {
  const { body, args, attributes, exception, extra } = withoutPrototype(call)
  const severity = state.settings.core.levels.severities.get(level)
  if (severity === undefined || severity < state.level.threshold) return
  try {
    const isWritten = severity >= state.level.certainThreshold || state.level.isEnabledFor(severity, state)
    if (!isWritten && !isRecorded(state.settings.core.recorder, severity)) return
    const record = createRecord(state.settings, state, severity, level)
    record.body = body
    record.keepsBraces = true
    record.printfArguments = args
    record.attributes = attributes
    record.exception = exception
    record.extraArguments = extra
    if (isWritten) state.settings.handler.handle(record)
    else state.settings.handler.hold!(record)
  } catch {
    countAsDropped(state.settings.core, severity)
  }
  if (level !== 'fatal') return
  try {
    state.settings.core.flushSync(undefined)
  } catch {
    // The stack is exhausted; the record is queued.
  }
}

type RecordSettings = Pick<LoggerSettings, 'currentSpan' | 'rules' | 'resolver'> & { readonly core: RecordCore }

/** Creates a record with the attributes of the logger and of the context, and with the current span. */
function createRecord(
  { core, currentSpan, rules, resolver }: RecordSettings,
  loggerBound: BoundState,
  severity: number,
  level: string,
): LogRecord {
  const contextAttributes = core.contextAttributes()
  const bound =
    contextAttributes === undefined
      ? loggerBound
      : withContextAttributes(loggerBound, contextAttributes, resolver, rules.limits.attributes)
  const record = newRecord(readClock(core.clock), severity, level, bound)
  if (currentSpan !== undefined) record.span = currentSpan()
  return record
}

/**
 * Counts as dropped a record whose creation or handling threw: `fill` of `createEmitRecord` threw, or the stack is exhausted. No
 * function is called, because a call would throw too if the stack is exhausted.
 */
function countAsDropped({ allCounters }: RecordCore, severity: number): void {
  for (let i = 0; i < allCounters.length; i++) {
    const counters = allCounters[i]!
    counters.emitted++
    counters.accepted++
    counters.droppedTotal++
    counters.droppedByReason[notEncodedIndex]!++
    // One counter for each four severity numbers. A record without a severity counts as INFO.
    counters.droppedByLevel[severity < 1 ? 2 : (severity - 1) >> 2]!++
  }
}

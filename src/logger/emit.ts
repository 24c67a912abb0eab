import { ownCopy } from '../record/member.ts'
import { Resolver } from '../encode/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { dropReasons } from '../pipeline/ledger.ts'
import type { Bound, LogRecord } from '../record/record.ts'
import { readClock } from '../record/time.ts'
import type { Rules } from '../rules/rules.ts'
import { thrownError } from '../rules/thrown.ts'
import { readArguments } from './arguments.ts'
import { withContextAttributes } from './bound.ts'
import type { EventKind } from './events.ts'
import type { Family } from './family.ts'
import { LevelCell } from './levels.ts'
import type { Said } from './said.ts'

/** Everything one logger is made of; `Family` is what it shares with its parents and children. */
export interface LoggerState {
  readonly family: Family
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly resolver: Resolver
  readonly bound: Bound
  /** The span that records belong to; undefined where they carry no trace. */
  readonly span: Family['activeSpan']
  readonly level: LevelCell
  /** What a logger inherits from; undefined where that is nothing. */
  readonly prototype: object | undefined
}

/** What a logger without a parent is made of. */
export function rootState(
  family: Family,
  handler: RecordHandler,
  rules: Rules,
  bound: Bound,
  level: LevelCell,
): LoggerState {
  const { activeSpan: span } = family
  return { family, handler, rules, resolver: new Resolver(rules), bound, span, level, prototype: undefined }
}

/**
 * Makes what records of somebody else's logger go through: they belong to a family as those of its own loggers do. `fill` says what
 * the record says; it may run code of users, and never throws into the caller.
 */
export function recordEmitter(family: Family, handler: RecordHandler, rules: Rules, bound: Bound): EmitRecord {
  const level = new LevelCell(undefined, { name: 'trace', threshold: 0 })
  const state = rootState(family, handler, rules, bound, level)
  return (severity, level, fill) => {
    try {
      const record = newRecord(state, severity, level)
      fill(record)
      handler.handle(record)
    } catch {
      countLost(state, severity)
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
    const record = newRecord(state, severity, level)
    readArguments(record, first, second, rest)
    state.handler.handle(record)
  } catch {
    countLost(state, severity)
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
    const record = newRecord(state, severity, level)
    record.eventName = name
    record.body = message
    record.attributes = attributes ?? undefined
    record.exception = thrownError(error)
    state.handler.handle(record)
    if (level === 'fatal') state.family.flushSync(undefined)
  } catch {
    countLost(state, severity)
  }
}

/** What a front says has its places already. */
export function emitSaid(state: LoggerState, level: string, said: Said): void {
  const { body, args, attributes, exception, extra } = ownCopy(said)
  const severity = state.family.levels.severities.get(level)
  if (severity === undefined || severity < state.level.threshold) return
  try {
    const record = newRecord(state, severity, level)
    record.body = body
    record.literal = true
    record.args = args
    record.attributes = attributes
    record.exception = exception
    record.extra = extra
    state.handler.handle(record)
    if (level === 'fatal') state.family.flushSync(undefined)
  } catch {
    countLost(state, severity)
  }
}

/** A record that says nothing yet but whose it is and when. */
function newRecord(state: LoggerState, severity: number, level: string): LogRecord {
  const { family } = state
  const context = family.context()
  const bound =
    context === undefined
      ? state.bound
      : withContextAttributes(state.bound, context, state.resolver, state.rules.limits.attributes)
  return {
    time: readClock(family.clock),
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
    span: state.span === undefined ? undefined : state.span(),
    eventName: undefined,
    bound,
    enriched: undefined,
  }
}

/**
 * A record that no handler has counted: what throws up to here is an exhausted stack, since handlers must not throw. Nothing
 * is called: a call would end as the record did.
 */
function countLost(state: LoggerState, severity: number): void {
  const { accounts } = state.family
  for (let i = 0; i < accounts.length; i++) {
    const account = accounts[i]!
    account.emitted++
    account.accepted++
    account.droppedTotal++
    account.droppedByReason[notEncoded]!++
    account.droppedByLevel[severity < 1 ? 2 : (severity - 1) >> 2]!++
  }
}

const notEncoded = dropReasons.indexOf('not_encoded')

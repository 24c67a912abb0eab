import { redactedResource, redactedScope } from '../encode/redacted-source.ts'
import { redactedData, Resolver } from '../encode/resolve.ts'
import { divertKey } from '../handler/diversion.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { dropReasons } from '../pipeline/ledger.ts'
import { quotedWord } from '../record/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../record/problems.ts'
import type { Bound, LogRecord } from '../record/record.ts'
import { readClock } from '../record/time.ts'
import { thrownError } from '../rules/thrown.ts'
import type { Rules } from '../rules/rules.ts'
import { readArguments } from './arguments.ts'
import { extendBound, withContextAttributes } from './bound.ts'
import { eventKey, type EventKind } from './events.ts'
import { childRules } from './child-rules.ts'
import type { Family } from './family.ts'
import { LevelCell } from './levels.ts'
import { sayKey, type Said } from './said.ts'
import type { ChildOptions, FlushOptions, Logger, RootLogger } from './types.ts'
import { define } from '../record/define.ts'

/** Everything one logger is made of; `Family` is what it shares with its parents and children. */
interface State {
  readonly family: Family
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly resolver: Resolver
  readonly bound: Bound
  /** The span that records belong to; undefined where they carry no trace. */
  readonly span: Family['activeSpan']
  readonly level: LevelCell
}

type LogFunction = (first?: unknown, second?: unknown, ...rest: unknown[]) => void

/** Makes the root logger of a family. */
export function rootLogger(
  family: Family,
  handler: RecordHandler,
  rules: Rules,
  bound: Bound,
  level: string,
): RootLogger {
  const cell = new LevelCell(undefined, { name: level, threshold: family.levels.threshold(level)! })
  const { activeSpan } = family
  const state: State = { family, handler, rules, resolver: new Resolver(rules), bound, span: activeSpan, level: cell }
  const logger = loggerOf(state)
  Object.assign(logger, {
    shutdown: (options?: FlushOptions) => family.shutdown(options),
    [Symbol.asyncDispose]: async () => void (await family.shutdown(undefined)),
    [divertKey]: family.divert,
  })
  return logger as RootLogger
}

/**
 * Makes what records of somebody else's logger go through: they belong to a family as those of its own loggers do. `fill` says what
 * the record says; it may run code of users, and never throws into the caller.
 */
export function recordEmitter(family: Family, handler: RecordHandler, rules: Rules, bound: Bound): EmitRecord {
  const level = new LevelCell(undefined, { name: 'trace', threshold: 0 })
  const span = family.activeSpan
  const state: State = { family, handler, rules, resolver: new Resolver(rules), bound, span, level }
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

/** A logger object: its level methods are closures, so that they work detached. */
function loggerOf(state: State): Logger {
  const { family } = state
  const { severities } = family.levels
  const logger = {
    trace: methodOf(state, severities.get('trace')!, 'trace'),
    debug: methodOf(state, severities.get('debug')!, 'debug'),
    info: methodOf(state, severities.get('info')!, 'info'),
    warn: methodOf(state, severities.get('warn')!, 'warn'),
    error: methodOf(state, severities.get('error')!, 'error'),
    fatal: fatalOf(state, severities.get('fatal')!),
    silent: () => {},
    get level(): string {
      return state.level.name
    },
    set level(name: string) {
      state.level.set(name, thresholdOf(family, name, 'level'))
    },
    isLevelEnabled: (name: string) => (family.levels.severities.get(name) ?? 0) >= state.level.threshold,
    child: (attributes: object, options?: ChildOptions) => childOf(state, attributes, options),
    flush: (options?: FlushOptions) => family.flush(options),
    flushSync: (deadlineMillis?: number) => family.flushSync(deadlineMillis),
    stats: () => family.stats(),
    [eventKey]: (kind: EventKind, attributes: object | undefined, error: unknown) =>
      emitEvent(state, kind, attributes, error),
    [sayKey]: (level: string, said: Said) => emitSaid(state, level, said),
  }
  if (severities.size > 6) addCustomMethods(logger, state)
  return logger as unknown as Logger
}

function addCustomMethods(logger: object, state: State): void {
  for (const [name, severity] of state.family.levels.severities) {
    if (!Object.hasOwn(logger, name)) define(logger, name, { value: methodOf(state, severity, name), enumerable: true })
  }
}

// A rest parameter would be an array before the level is tested: 32 bytes and 4 ns for each call that says nothing.
/* oxlint-disable prefer-rest-params, func-style */

function methodOf(state: State, severity: number, level: string): LogFunction {
  const cell = state.level
  return function (first?: unknown, second?: unknown) {
    if (severity < cell.threshold) return
    let rest = noMore
    if (arguments.length > 2) {
      rest = []
      for (let i = 2; i < arguments.length; i++) rest.push(arguments[i])
    }
    emit(state, severity, level, first, second, rest)
  }
}

/** FATAL is followed by the end of the process more often than not: what waits is written before the call returns. */
function fatalOf(state: State, severity: number): LogFunction {
  const cell = state.level
  return function (first?: unknown, second?: unknown) {
    if (severity < cell.threshold) return
    let rest = noMore
    if (arguments.length > 2) {
      rest = []
      for (let i = 2; i < arguments.length; i++) rest.push(arguments[i])
    }
    emit(state, severity, 'fatal', first, second, rest)
    try {
      state.family.flushSync(undefined)
    } catch {
      // an exhausted stack; the record waits in its queue
    }
  }
}

const noMore: unknown[] = []

/* oxlint-enable prefer-rest-params, func-style */

function emit(
  state: State,
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
function emitEvent(
  state: State,
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
function emitSaid(state: State, level: string, { body, args, attributes, exception, extra }: Said): void {
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

function newRecord(state: State, severity: number, level: string): LogRecord {
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
function countLost(state: State, severity: number): void {
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

function childOf(state: State, attributes: object, given: ChildOptions | undefined): Logger {
  const { family } = state
  if (given === undefined) {
    const own = state.resolver.resolve(attributes ?? {})
    return loggerOf({
      ...state,
      bound: extendBound(state.bound, own, state.rules.limits.attributes),
      level: new LevelCell(state.level),
    })
  }
  const problems: ConfigurationProblem[] = []
  const { rules, options } = childRules(state.rules, given, family.levels, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const changed = rules !== state.rules
  const resolver = changed ? new Resolver(rules) : state.resolver
  const inherited = changed ? boundUnder(state.bound, rules, state.rules) : state.bound
  const own = resolver.resolve(attributes ?? {})
  const { level, context } = options
  const bound = extendBound(inherited, own, rules.limits.attributes, options.messagePrefix)
  const span = context === undefined ? undefined : family.spanIn(context)
  return loggerOf({
    family,
    handler: changed ? state.handler.withRules(rules) : state.handler,
    rules,
    resolver,
    bound: context === undefined ? bound : { ...bound, context },
    span: context === undefined ? state.span : () => span,
    level: new LevelCell(
      state.level,
      level === undefined ? undefined : { name: level, threshold: thresholdOf(family, level, 'level') },
    ),
  })
}

/** A parent's snapshot by the rules of a child, which can cover more. */
function boundUnder(bound: Bound, rules: Rules, before: Rules): Bound {
  const attributes = redactedData(bound.attributes, rules)
  const { patterns } = rules.redaction
  if (patterns === before.redaction.patterns) return { ...bound, attributes }
  const { scope, resource } = bound
  return {
    ...bound,
    attributes,
    scope: redactedScope(scope, patterns),
    resource: redactedResource(resource, patterns),
  }
}

function thresholdOf(family: Family, name: string, path: string): number {
  const threshold = family.levels.threshold(name)
  if (threshold !== undefined) return threshold
  const message = `there is no level${quotedWord(name)}; levels are ${family.levels.names.join(', ')}, silent`
  throw new ConfigurationError([{ code: 'SLUICE_LEVEL_UNKNOWN', path, message }])
}

import { redactedResource, redactedScope } from '../encode/redacted-source.ts'
import { redactedData, Resolver } from '../encode/resolve.ts'
import { divertKey } from '../handler/diversion.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { quotedWord } from '../record/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../record/problems.ts'
import type { Bound } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import { extendBound } from './bound.ts'
import { childSettings } from './child-settings.ts'
import { emit, emitEvent, emitSaid, rootState, type LoggerState } from './emit.ts'
import { eventKey, type EventKind } from './events.ts'
import type { Family } from './family.ts'
import { LevelCell } from './levels.ts'
import { pinoPrototype } from './pino-adapter.ts'
import { patternsKey, sayKey, type Said } from './said.ts'
import type { ChildOptions, FlushOptions, Logger, RootLogger } from './types.ts'
import { define } from '../record/define.ts'

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
  const logger = loggerOf(rootState(family, handler, rules, bound, cell))
  Object.assign(logger, {
    shutdown: (options?: FlushOptions) => family.shutdown(options),
    [Symbol.asyncDispose]: async () => void (await family.shutdown(undefined)),
    [divertKey]: family.divert,
  })
  return logger as RootLogger
}

/** A logger object: its level methods are closures, so that they work detached. */
function loggerOf(state: LoggerState): Logger {
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
    [patternsKey]: () => state.rules.redaction.patterns,
  }
  if (severities.size > 6) addCustomMethods(logger, state)
  if (state.prototype !== undefined) Object.setPrototypeOf(logger, state.prototype)
  return logger as unknown as Logger
}

function addCustomMethods(logger: object, state: LoggerState): void {
  for (const [name, severity] of state.family.levels.severities) {
    if (!Object.hasOwn(logger, name)) define(logger, name, { value: methodOf(state, severity, name), enumerable: true })
  }
}

// A rest parameter would be an array before the level is tested: 32 bytes and 4 ns for each call that says nothing.
/* oxlint-disable prefer-rest-params, func-style */

function methodOf(state: LoggerState, severity: number, level: string): LogFunction {
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
function fatalOf(state: LoggerState, severity: number): LogFunction {
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

function childOf(state: LoggerState, attributes: object, given: ChildOptions | undefined): Logger {
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
  const { rules, options, forPinoAdapter } = childSettings(state.rules, given, family.levels, problems)
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
    prototype: forPinoAdapter ? pinoPrototype(family.levels) : state.prototype,
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

import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { redactedBound, Resolver } from '../encode/walk/resolve.ts'
import { captureKey } from '../handler/record-capture.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { BoundState } from '../record/bound.ts'
import { addMembers, define } from '../options/define-member.ts'
import { unknownName } from '../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import type { Rules } from '../values/record-rules.ts'
import { limited, originWith } from './bound.ts'
import { childSettings } from './child-settings.ts'
import type { LoggerCore } from './logger-core.ts'
import { InheritedLevel, type Levels } from './levels.ts'
import { defineMember, memberFactories, stateKey, type HasState } from './logger-members.ts'
import { LoggerState, type LoggerSettings } from './logger-state.ts'
import type { ChildOptions, FlushOptions, Logger, RootLogger } from './types.ts'
import { ownCopy } from '../options/own-members.ts'

/** Creates a root logger. Its members are its own properties; those of children are inherited. */
export function rootLogger(
  core: LoggerCore,
  handler: RecordHandler,
  rules: Rules,
  bound: BoundState,
  level: string,
): RootLogger {
  const inheritedLevel = new InheritedLevel(undefined, { name: level, threshold: core.levels.threshold(level)! })
  const { span, prototype } = { span: core.activeSpan, prototype: prototypeOf(core, false) }
  const settings: LoggerSettings = { core, handler, rules, resolver: new Resolver(rules), span, prototype }
  const { origin, names, values, parent } = bound
  const state = new LoggerState(settings, parent, origin, names, values, inheritedLevel, true)
  const inherited = loggerOf(state) as unknown as Record<PropertyKey, unknown>
  const logger = {}
  for (const key of Reflect.ownKeys(prototype)) {
    if (key === 'level') {
      const member = ownCopy(Object.getOwnPropertyDescriptor(prototype, key)!)
      define(logger, key, {
        get: member.get!.bind(inherited),
        set: member.set!.bind(inherited),
        enumerable: true,
        configurable: true,
      })
    } else if (key !== 'constructor')
      define(logger, key, { value: inherited[key], writable: true, enumerable: true, configurable: true })
  }
  addMembers(logger, {
    shutdown: (options?: FlushOptions) => core.shutdown(options),
    [Symbol.asyncDispose]: async () => void (await core.shutdown(undefined)),
    [captureKey]: core.captureRecords,
  })
  return logger as RootLogger
}

/** Creates a logger object. Its members are on its prototype and read its state through `this`. */
function loggerOf(state: LoggerState): Logger {
  const Class = state.settings.prototype.constructor as new (state: LoggerState) => object
  return new Class(state) as Logger
}

const prototypes = new WeakMap<Levels, { plain: object; adapted: object | undefined }>()

/** Returns the prototype of loggers with the same levels. With `forFramework`, it also has the members of the child adapter. */
function prototypeOf({ levels, childAdapter }: LoggerCore, forFramework: boolean): object {
  let cached = prototypes.get(levels)
  if (cached === undefined)
    prototypes.set(levels, (cached = { plain: newPrototype(levels, undefined), adapted: undefined }))
  return forFramework ? (cached.adapted ??= newPrototype(levels, childAdapter.prototype(levels))) : cached.plain
}

function newPrototype(levels: Levels, base: object | undefined): object {
  class LoggerObject implements HasState {
    readonly [stateKey]: LoggerState
    constructor(state: LoggerState) {
      this[stateKey] = state
    }
  }
  const { prototype } = LoggerObject
  if (base !== undefined) Object.setPrototypeOf(prototype, base)
  const factories = memberFactories(levels)
  factories.set('child', (state) => (attributes: object, options?: ChildOptions) => childOf(state, attributes, options))
  let index = 0
  for (const [key, factory] of factories) defineMember(prototype, key, index++, factory)
  define(prototype, 'level', {
    get(this: Partial<HasState>): string | undefined {
      return this[stateKey]?.level.name
    },
    set(this: HasState, name: string) {
      const state = this[stateKey]
      state.setLevel(name, thresholdOf(state.settings.core, name, 'level'))
    },
    configurable: true,
  })
  // Without this, `console.log` would print the state with everything that it refers to.
  define(prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value(
      this: Partial<HasState>,
      _depth: number,
      options: object,
      inspect: (value: unknown, options: object) => string,
    ) {
      const state = this[stateKey]
      return state === undefined ? 'Logger {}' : `Logger ${inspect({ level: state.level.name }, options)}`
    },
  })
  return prototype
}

function childOf(state: LoggerState, attributes: object, given: ChildOptions | undefined): Logger {
  const { settings } = state
  if (given === undefined || isEmpty(given)) {
    const own = limited(state, settings.resolver.capture(attributes ?? {}), settings.rules.limits.attributes)
    const origin = own.dropped === 0 ? state.origin : originWith(state.origin, own.dropped)
    const names = state.names.extended(own)
    return loggerOf(new LoggerState(settings, state, origin, names, own.values, state.levelForChildren(), false))
  }
  const { core, rules: inherited } = settings
  const problems: ConfigurationProblem[] = []
  const { rules, options, forFramework } = childSettings(inherited, given, core, problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'child')
  const changed = rules !== inherited
  const { level, context, messagePrefix } = options
  const span = context === undefined ? undefined : core.spanIn(context)
  const isSame = !changed && context === undefined && !forFramework
  const own: LoggerSettings = isSame
    ? settings
    : {
        core,
        handler: changed ? settings.handler.withRules(rules) : settings.handler,
        rules,
        resolver: changed ? new Resolver(rules) : settings.resolver,
        span: context === undefined ? settings.span : () => span,
        prototype: forFramework ? prototypeOf(core, true) : settings.prototype,
      }
  const parent = changed ? boundUnder(state, rules, inherited) : state
  const added = limited(parent, own.resolver.capture(attributes ?? {}), rules.limits.attributes)
  const inheritedLevel = new InheritedLevel(
    state.levelForChildren(),
    level === undefined ? undefined : { name: level, threshold: thresholdOf(core, level, 'level') },
  )
  const extended = originWith(parent.origin, added.dropped, messagePrefix)
  const origin = context === undefined ? extended : { ...extended, context }
  return loggerOf(
    new LoggerState(own, parent, origin, parent.names.extended(added), added.values, inheritedLevel, true),
  )
}

/**
 * Returns whether the options are empty, as frameworks pass them for each child. Options that cannot be read count as not empty,
 * so that the checks report them.
 */
function isEmpty(options: ChildOptions): boolean {
  try {
    if (typeof options !== 'object' || options === null || Object.getPrototypeOf(options) !== Object.prototype)
      return false
    // oxlint-disable-next-line no-unreachable-loop -- the first key decides
    for (const _ in options) return false
    return true
  } catch {
    return false
  }
}

/** Returns a parent's state under the rules of a child, which can redact more. */
function boundUnder(bound: BoundState, rules: Rules, before: Rules): BoundState {
  const attributes = redactedBound(bound, rules)
  const { patterns } = rules.redaction
  if (patterns === before.redaction.patterns) return BoundState.ofNamed(bound.origin, attributes)
  const { scope, resource } = bound
  return BoundState.ofNamed(
    { ...bound.origin, scope: redactedScope(scope, patterns), resource: redactedResource(resource, patterns) },
    attributes,
  )
}

function thresholdOf(core: LoggerCore, name: string, path: string): number {
  const threshold = core.levels.threshold(name)
  if (threshold !== undefined) return threshold
  const message = unknownName('level', name, [...core.levels.names, 'silent'])
  throw new ConfigurationError([{ code: 'SLUICE_LEVEL_UNKNOWN', path, message }])
}

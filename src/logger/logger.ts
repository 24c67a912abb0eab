import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { redactedBound, Resolver } from '../encode/walk/resolve.ts'
import { captureKey } from '../handler/record-capture.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { BoundState } from '../record/bound.ts'
import { addMembers, define } from '../options/define-member.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import type { Rules } from '../values/record-rules.ts'
import { limitedAttributes, originWith } from './context-attributes.ts'
import { compileChildSettings } from './child-settings.ts'
import type { LoggerCoreState } from './logger-core.ts'
import { InheritedLevel } from '../levels/inherited-level.ts'
import type { Directive } from '../levels/directive.ts'
import { unknownLevelName } from '../levels/directive-problems.ts'
import type { Levels } from './levels.ts'
import { defineMember, memberFactories, stateKey, type HasState } from './logger-members.ts'
import { LoggerState, type LoggerSettings } from './logger-state.ts'
import { namedSettingsOf } from './named-settings.ts'
import type { ChildOptions, FlushOptions, Logger, RootLogger } from './types.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** Creates a root logger. Its members are its own properties, whereas children inherit their members from a prototype. */
export function createRootLogger(
  core: LoggerCoreState,
  handler: RecordHandler,
  rules: Rules,
  bound: BoundState,
  level: string,
  directives: readonly Directive[] | undefined,
): RootLogger {
  const codeLevel = { name: level, threshold: core.levels.threshold(level)! }
  const inheritedLevel = InheritedLevel.ofRoot(
    codeLevel,
    directives === undefined ? undefined : (bound.scope.name ?? ''),
    { levels: core.levels, directives: directives ?? [], recorderThreshold: core.recorder?.threshold ?? Infinity },
  )
  const prototype = prototypeOf(core, false)
  const settings: LoggerSettings = {
    core,
    handler,
    rules,
    resolver: new Resolver(rules),
    currentSpan: core.activeSpan,
    prototype,
    namedSettings: undefined,
  }
  const { origin, names, values, parent } = bound
  const state = new LoggerState(settings, parent, origin, names, values, inheritedLevel, true)
  const innerLogger = loggerOf(state) as unknown as Record<PropertyKey, unknown>
  const logger = {}
  for (const key of Reflect.ownKeys(prototype)) {
    if (key === 'level') {
      const member = withoutPrototype(Object.getOwnPropertyDescriptor(prototype, key)!)
      define(logger, key, {
        get: member.get!.bind(innerLogger),
        set: member.set!.bind(innerLogger),
        enumerable: true,
        configurable: true,
      })
    } else if (key !== 'constructor')
      define(logger, key, { value: innerLogger[key], writable: true, enumerable: true, configurable: true })
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
  const LoggerClass = state.settings.prototype.constructor as new (state: LoggerState) => object
  return new LoggerClass(state) as Logger
}

const prototypes = new WeakMap<Levels, { plain: object; forFramework: object | undefined }>()

/** Returns the prototype of loggers with the same levels. With `isForFramework`, it also has the members of the child adapter. */
function prototypeOf({ levels, childAdapter }: LoggerCoreState, isForFramework: boolean): object {
  let cached = prototypes.get(levels)
  if (cached === undefined)
    prototypes.set(levels, (cached = { plain: newPrototype(levels, undefined), forFramework: undefined }))
  return isForFramework
    ? (cached.forFramework ??= newPrototype(levels, childAdapter.createPrototype(levels)))
    : cached.plain
}

/** Creates a prototype of loggers. `base` is the prototype that it inherits from. */
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
      return this[stateKey]?.level.codeName
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
      return state === undefined ? 'Logger {}' : `Logger ${inspect({ level: state.level.codeName }, options)}`
    },
  })
  return prototype
}

function childOf(state: LoggerState, attributes: object, givenOptions: ChildOptions | undefined): Logger {
  const { settings } = state
  if (givenOptions === undefined || isEmptyObject(givenOptions)) {
    const added = limitedAttributes(
      state,
      settings.resolver.snapshot(attributes ?? {}),
      settings.rules.limits.attributes,
    )
    const origin = added.droppedCount === 0 ? state.origin : originWith(state.origin, added.droppedCount)
    const names = state.names.extended(added)
    return loggerOf(new LoggerState(settings, state, origin, names, added.values, state.levelForChildren(), false))
  }
  const { core, rules: parentRules } = settings
  const problems: ConfigurationProblem[] = []
  const { rules, options, isForFramework } = compileChildSettings(parentRules, givenOptions, core, problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'child')
  const hasNewRules = rules !== parentRules
  const { name, level, context, messagePrefix } = options
  const span = context === undefined ? undefined : core.spanIn(context)
  const sharesSettings = !hasNewRules && context === undefined && !isForFramework
  const unnamedSettings: LoggerSettings = sharesSettings
    ? settings
    : {
        core,
        handler: hasNewRules ? settings.handler.withRules(rules) : settings.handler,
        rules,
        resolver: hasNewRules ? new Resolver(rules) : settings.resolver,
        currentSpan: context === undefined ? settings.currentSpan : () => span,
        prototype: isForFramework ? prototypeOf(core, true) : settings.prototype,
        namedSettings: undefined,
      }
  const named = name === undefined ? undefined : namedSettingsOf(unnamedSettings, name, state.origin)
  const ownSettings = named?.settings ?? unnamedSettings
  const parent = hasNewRules ? boundWithRules(state, rules, parentRules) : state
  const added = limitedAttributes(parent, ownSettings.resolver.snapshot(attributes ?? {}), rules.limits.attributes)
  const inheritedLevel = state
    .levelForChildren()
    .child(level === undefined ? undefined : { name: level, threshold: thresholdOf(core, level, 'level') }, name)
  const extendedOrigin = originWith(parent.origin, added.droppedCount, messagePrefix)
  const hasOwnOrigin = context !== undefined || named !== undefined
  const origin = hasOwnOrigin
    ? { ...extendedOrigin, context: context ?? extendedOrigin.context, scope: named?.scope ?? extendedOrigin.scope }
    : extendedOrigin
  return loggerOf(
    new LoggerState(ownSettings, parent, origin, parent.names.extended(added), added.values, inheritedLevel, true),
  )
}

/**
 * Returns whether options are a plain object without members, which frameworks pass for each child. Options that cannot be read
 * count as not empty, so that the checks report them.
 */
function isEmptyObject(options: ChildOptions): boolean {
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

/** Returns a parent's bound state, redacted again with the rules of a child, which can redact more. */
function boundWithRules(bound: BoundState, rules: Rules, parentRules: Rules): BoundState {
  const attributes = redactedBound(bound, rules)
  const { patterns } = rules.redaction
  if (patterns === parentRules.redaction.patterns) return BoundState.ofNamedValues(bound.origin, attributes)
  const { scope, resource } = bound
  return BoundState.ofNamedValues(
    { ...bound.origin, scope: redactedScope(scope, patterns), resource: redactedResource(resource, patterns) },
    attributes,
  )
}

/** Returns the threshold of a level. Throws if there is no such level; `path` is the option in the error. */
function thresholdOf(core: LoggerCoreState, name: string, path: string): number {
  const threshold = core.levels.threshold(name)
  if (threshold !== undefined) return threshold
  const message = unknownLevelName(name, core.levels)
  throw new ConfigurationError([{ code: 'SLUICE_LEVEL_UNKNOWN', path, message }], undefined, 'logger')
}

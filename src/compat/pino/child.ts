import { renderBindings } from './bindings.ts'
import { directedLogger } from './disabled-method.ts'
import { emptyLineStart, stateSym, type Formatters, type Instance, type LoggerState } from './instance.ts'
import { checkCollisions, createLevelMapping } from './levels.ts'
import { boundAttributes } from './record-members.ts'
import { compilePinoRedaction } from './redaction.ts'
import { mergeSerializers } from './serializers.ts'
import { levelMemberNames, renderLevels } from './set-level.ts'
import * as symbols from './symbols.ts'
import { setMember } from '../../options/define-member.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** Settings that a child can override. */
interface ChildSettings {
  readonly level?: string | undefined
  readonly serializers?: object | undefined
  readonly formatters?: Partial<Formatters> | undefined
  readonly customLevels?: Record<string, number> | undefined
  readonly redact?: unknown
  readonly msgPrefix?: unknown
}

/** The default `bindings` formatter of children, which do not inherit that of their parent. */
const unchangedBindings = (bindings: object): object => bindings

/**
 * Creates a logger that adds `bindings` to each record. Settings that `options` do not override are inherited. A later change of this
 * logger's level also changes that of the child, unless the child's level was set, or its options name another level or custom levels.
 *
 * @throws Error without bindings, or for an unknown level; ConfigurationError for invalid redaction rules, or custom levels that conflict
 * with existing ones.
 */
export function child(this: Instance, bindings: object, options?: object | null): Instance {
  if (!bindings) throw Error('missing bindings for child Pino')
  const instance = Object.create(this) as Instance
  const settings: ChildSettings = copySettings(options)
  const { level, bindings: _, log } = this[symbols.formattersSym]
  instance[symbols.formattersSym] = { level, bindings: unchangedBindings, log, ...withoutFalsy(settings.formatters) }
  if (settings.serializers !== undefined) {
    instance[symbols.serializersSym] = mergeSerializers(this[symbols.serializersSym], settings.serializers)
  }
  if (settings.customLevels !== undefined) {
    checkCollisions(this.levels, settings.customLevels)
    const levels = createLevelMapping(settings.customLevels, this[symbols.useOnlyCustomLevelsSym])
    setMember(instance, 'levels', levels)
    renderLevels(instance)
  }
  if (typeof settings.msgPrefix === 'string') {
    instance[symbols.msgPrefixSym] = (this[symbols.msgPrefixSym] ?? '') + settings.msgPrefix
  }
  const state = childState(instance, this[stateSym], settings)
  addBindings(instance, state, bindings, settings)
  if ((settings.level !== undefined && settings.level !== this.level) || settings.customLevels !== undefined) {
    instance[symbols.setLevelSym](settings.level || this.level)
  }
  try {
    state.hookFailures.observeIfPromise('onChild', this.onChild(instance))
  } catch (error) {
    state.hookFailures.reportThrow('onChild', error)
  }
  return instance
}

/** Copies the options, so that each is read once and members of `Object.prototype` are ignored. */
function copySettings(options: object | null | undefined): ChildSettings {
  return withoutPrototype({ ...options })
}

function withoutFalsy(formatters: Partial<Formatters> | undefined): Partial<Formatters> {
  return Object.fromEntries(Object.entries(formatters ?? {}).filter(([, formatter]) => Boolean(formatter)))
}

/** Returns the state of a child before its bindings are added. */
function childState(instance: Instance, parent: LoggerState, { redact, customLevels }: ChildSettings): LoggerState {
  const valueWriter =
    typeof redact === 'object' && redact !== null
      ? parent.valueWriter.with(compilePinoRedaction(redact, 'child', parent.valueWriter.redactsCredentials))
      : parent.valueWriter
  const namesBeforeBindings =
    customLevels === undefined
      ? parent.namesBeforeBindings
      : new Set([...parent.namesBeforeBindings, ...levelMemberNames(instance)])
  const hookFailures =
    valueWriter === parent.valueWriter ? parent.hookFailures : parent.hookFailures.withPatterns(valueWriter.patterns)
  const directiveLevel =
    customLevels === undefined ? parent.directiveLevel : parent.directiveLevel.forChild(directedLogger(instance))
  if (customLevels !== undefined) directiveLevel.addLevelNames(Object.keys(customLevels))
  return { ...parent, valueWriter, namesBeforeBindings, hookFailures, directiveLevel }
}

/** Sets the state of `instance` to `state` with `bindings` added. */
function addBindings(instance: Instance, state: LoggerState, bindings: object, settings: ChildSettings): void {
  const formatted = formatBindings(instance, state, bindings)
  const members = renderBindings(
    formatted,
    instance[symbols.serializersSym],
    state.valueWriter,
    state.namesBeforeBindings,
    state.hookFailures,
  )
  const allBindings = state.bindings.with(members)
  const options = { serializers: instance[symbols.serializersSym], errorKey: instance[symbols.errorKeySym] }
  const recordSink = state.recordSink?.child(boundAttributes(formatted, options, state.hookFailures), settings.redact)
  instance[stateSym] = { ...state, bindings: allBindings, recordSink, cachedLineStart: emptyLineStart() }
  instance[symbols.chindingsSym] = allBindings.text
}

/** Applies `formatters.bindings`. If it throws, a marker is bound instead. */
function formatBindings(instance: Instance, { hookFailures }: LoggerState, bindings: object): object {
  try {
    const formatted = instance[symbols.formattersSym].bindings(bindings) ?? {}
    hookFailures.observeIfPromise('formatters.bindings', formatted)
    return formatted
  } catch (error) {
    return { formatterError: hookFailures.reportThrow('formatters.bindings', error) }
  }
}

/** Adds bindings to this logger, and to children created later. */
export function setBindings(this: Instance, bindings: object): void {
  addBindings(this, this[stateSym], bindings, withoutPrototype({}))
}

/** Returns the bindings as they were rendered, without `pid` and `hostname`. */
export function bindings(this: Instance): object {
  const result = JSON.parse(`{${this[symbols.chindingsSym].slice(1)}}`) as Record<string, unknown>
  delete result.pid
  delete result.hostname
  return result
}

import { rendered } from './bindings.ts'
import { emptyPrefix, partsSym, type Formatters, type Instance, type Parts } from './instance.ts'
import { checkCollisions, mappings } from './levels.ts'
import { boundAttributes } from './record-members.ts'
import { pinoRedaction } from './redaction.ts'
import { mergedSerializers } from './serialized.ts'
import { levelKeys, renderLevels } from './set-level.ts'
import * as symbols from './symbols.ts'
import { setMember } from '../../options/define-member.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Settings that a child can override. */
interface ChildSettings {
  readonly level?: string | undefined
  readonly serializers?: object | undefined
  readonly formatters?: Partial<Formatters> | undefined
  readonly customLevels?: Record<string, number> | undefined
  readonly redact?: unknown
  readonly msgPrefix?: unknown
}

/** Returns bindings unchanged: children do not use the `bindings` formatter of the root logger. */
const unchanged = (bindings: object): object => bindings

/** Creates a logger that adds `bindings` to each record. Settings that it does not override are inherited, including later changes. */
export function child(this: Instance, bindings: object, options?: object | null): Instance {
  if (!bindings) throw Error('missing bindings for child Pino')
  const instance = Object.create(this) as Instance
  const settings: ChildSettings = ownSettings(options)
  const { level, bindings: _, log } = this[symbols.formattersSym]
  instance[symbols.formattersSym] = { level, bindings: unchanged, log, ...defined(settings.formatters) }
  if (settings.serializers !== undefined) {
    instance[symbols.serializersSym] = mergedSerializers(this[symbols.serializersSym], settings.serializers)
  }
  if (settings.customLevels !== undefined) {
    checkCollisions(this.levels, settings.customLevels)
    const levels = mappings(settings.customLevels, this[symbols.useOnlyCustomLevelsSym])
    setMember(instance, 'levels', levels)
    renderLevels(instance)
  }
  if (typeof settings.msgPrefix === 'string') {
    instance[symbols.msgPrefixSym] = (this[symbols.msgPrefixSym] ?? '') + settings.msgPrefix
  }
  const parts = childParts(instance, this[partsSym], settings)
  bind(instance, parts, bindings, settings)
  if ((settings.level !== undefined && settings.level !== this.level) || settings.customLevels !== undefined) {
    instance[symbols.setLevelSym](settings.level || this.level)
  }
  try {
    parts.hookFailures.observe('onChild', this.onChild(instance))
  } catch (error) {
    parts.hookFailures.threw('onChild', error)
  }
  return instance
}

function ownSettings(options: object | null | undefined): ChildSettings {
  return ownCopy({ ...options })
}

function defined(formatters: Partial<Formatters> | undefined): Partial<Formatters> {
  return Object.fromEntries(Object.entries(formatters ?? {}).filter(([, formatter]) => Boolean(formatter)))
}

function childParts(instance: Instance, parts: Parts, { redact, customLevels }: ChildSettings): Parts {
  const values =
    typeof redact === 'object' && redact !== null
      ? parts.values.with(pinoRedaction(redact, 'child', parts.values.coversHeaders))
      : parts.values
  const core = customLevels === undefined ? parts.core : new Set([...parts.core, ...levelKeys(instance)])
  const hookFailures = values === parts.values ? parts.hookFailures : parts.hookFailures.redactedBy(values.patterns)
  return { ...parts, values, core, hookFailures }
}

function bind(instance: Instance, parts: Parts, bindings: object, settings: ChildSettings): void {
  const formatted = boundObject(instance, parts, bindings)
  const members = rendered(formatted, instance[symbols.serializersSym], parts.values, parts.core, parts.hookFailures)
  const all = members.length === 0 ? parts.bindings : parts.bindings.with(members)
  const rules = { serializers: instance[symbols.serializersSym], errorKey: instance[symbols.errorKeySym] }
  const records = parts.records?.child(boundAttributes(formatted, rules, parts.hookFailures), settings.redact)
  instance[partsSym] = { ...parts, bindings: all, records, lead: emptyPrefix() }
  instance[symbols.chindingsSym] = all.text
}

function boundObject(instance: Instance, { hookFailures }: Parts, bindings: object): object {
  try {
    const formatted = instance[symbols.formattersSym].bindings(bindings) ?? {}
    hookFailures.observe('formatters.bindings', formatted)
    return formatted
  } catch (error) {
    return { formatterError: hookFailures.threw('formatters.bindings', error) }
  }
}

/** Adds bindings to this logger, and to children created later. */
export function setBindings(this: Instance, bindings: object): void {
  bind(this, this[partsSym], bindings, ownCopy({}))
}

/** Returns the bindings as they were rendered, without `pid` and `hostname`. */
export function bindings(this: Instance): object {
  const result = JSON.parse(`{${this[symbols.chindingsSym].slice(1)}}`) as Record<string, unknown>
  delete result.pid
  delete result.hostname
  return result
}

import * as os from 'node:os'
import { member, ownCopy } from '../../options/own-members.ts'
import { noBindings, rendered } from './bindings.ts'
import type { Diagnostic } from '../../options/configuration-error.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { hookFailureReporter, type HookFailures } from '../shared/hook-failures.ts'
import { emptyPrefix, partsSym, type AnyStream, type Instance, type Parts, type RecordSink } from './instance.ts'
import { checkDefaultLevel, comparison, levelName, mappings } from './levels.ts'
import { noop } from './log-method.ts'
import { resolveOptions, type GivenOptions, type ResolvedOptions } from './options.ts'
import { emptyInstance } from './prototype.ts'
import { boundAttributes } from './record-members.ts'
import { pinoRedaction } from './redaction.ts'
import { levelKeys, renderLevels } from './set-level.ts'
import * as symbols from './symbols.ts'
import { epochTime, standardTimes } from './time.ts'
import { Values } from './values.ts'
import { addMembers } from '../../options/define-member.ts'

/**
 * Creates a logger that writes to `stream`.
 *
 * @param records - creates the sink for the logger's exported records
 */
export function createInstance(
  given: GivenOptions,
  stream: AnyStream,
  records?: (options: ResolvedOptions, attributes: object) => RecordSink | undefined,
): Instance {
  const options = resolveOptions(given, os.hostname())
  const level = levelName(options.level)
  const { customLevels, useOnlyCustomLevels, messageKey } = options
  const values = new Values(pinoRedaction(options.redact, 'pino'), options, limitsOf(options))
  const hookFailures = hookFailureReporter(options.onDiagnostic, 'SLUICE_PINO_HOOK_THREW').redactedBy(values.patterns)
  const time = sampleTime(options, hookFailures)
  checkDefaultLevel(level, customLevels, useOnlyCustomLevels)
  const instance = emptyInstance()
  addMembers(instance, {
    levels: mappings(customLevels, useOnlyCustomLevels),
    silent: noop,
    onChild: options.onChild,
    [symbols.levelCompSym]: comparison(options.levelComparison),
    [symbols.useOnlyCustomLevelsSym]: useOnlyCustomLevels,
    [symbols.streamSym]: stream,
    [symbols.timeSym]: options.time,
    [symbols.timeSliceIndexSym]: time.indexOf(':') + 1,
    [symbols.endSym]: '}' + (options.crlf ? '\r\n' : '\n'),
    [symbols.messageKeySym]: messageKey,
    [symbols.errorKeySym]: options.errorKey,
    [symbols.nestedKeySym]: options.nestedKey,
    [symbols.serializersSym]: options.serializers,
    [symbols.mixinSym]: options.mixin,
    [symbols.mixinMergeStrategySym]: options.mixinMergeStrategy,
    [symbols.formattersSym]: options.formatters,
    [symbols.hooksSym]: options.hooks,
    [symbols.msgPrefixSym]: options.msgPrefix,
  })
  renderLevels(instance)
  const bindings = rootBindings(options)
  const parts = rootParts(options, bindings, {
    values,
    hookFailures,
    core: new Set([...levelKeys(instance), ...timeKeys(time)]),
  })
  if (given.useLevelLabels) parts.hookFailures.reportDiagnostic(levelLabels)
  const attributes = records === undefined ? bindings : boundAttributes(bindings, options, parts.hookFailures)
  instance[partsSym] = { ...parts, records: records?.(options, attributes) }
  instance[symbols.chindingsSym] = parts.bindings.text
  warnOfLevels(instance, stream, level)
  sendConfig(instance, stream)
  instance[symbols.setLevelSym](level)
  return instance
}

/** Reported rather than rejected, because pino's own tests set this option. */
const levelLabels: Diagnostic = {
  code: 'SLUICE_OPTION_UNSUPPORTED',
  message: 'useLevelLabels is an option of earlier versions of pino; use formatters: { level: (level) => ({ level }) }',
}

function rootParts(
  options: ResolvedOptions,
  bindings: object,
  { values, hookFailures, core }: Pick<Parts, 'values' | 'hookFailures' | 'core'>,
): Parts {
  const members = rendered(bindings, options.serializers, values, core, hookFailures)
  return {
    values,
    hookFailures,
    core,
    limits: limitsOf(options),
    bindings: members.length === 0 ? noBindings : noBindings.with(members),
    onlyStandardTime: standardTimes.has(options.time),
    records: undefined,
    lead: emptyPrefix(),
  }
}

function limitsOf({ depthLimit, edgeLimit }: ResolvedOptions): Parts['limits'] {
  return { depth: depthLimit, breadth: edgeLimit }
}

function rootBindings({ base, name, formatters }: ResolvedOptions): object {
  if (base === null) return {}
  const members = Object.entries(base ?? {})
  const bindings =
    formatters.bindings(Object.fromEntries(name === undefined ? members : [...members, ['name', name]])) ?? {}
  ignoreRejection(bindings)
  return bindings
}

/** Returns the time of a line that is logged now. Never throws. */
function sampleTime({ time }: ResolvedOptions, hookFailures: HookFailures): string {
  const cost = 'the default timestamp is used'
  try {
    const text: unknown = time()
    hookFailures.observe('timestamp', text, cost)
    if (typeof text === 'string') return text // other values are reported by each log call
  } catch (error) {
    hookFailures.threw('timestamp', error, cost)
  }
  return epochTime()
}

function timeKeys(time: string): string[] {
  try {
    return Object.keys(JSON.parse(`{${time.slice(1)}}`) as object)
  } catch {
    return ['time']
  }
}

/** Sends the levels and key names of lines to streams that support it. */
function sendConfig(instance: Instance, stream: AnyStream): void {
  const emit = member(stream, 'emit')
  if (typeof emit !== 'function') return
  const { levels } = instance
  const config = { levels, messageKey: instance[symbols.messageKeySym], errorKey: instance[symbols.errorKeySym] }
  emit.call(stream, 'message', { code: 'PINO_CONFIG', config })
}

/** Warns if several targets select lines by level, but lines do not contain a numeric level. */
function warnOfLevels(instance: Instance, stream: AnyStream, level: string | number): void {
  if (stream[symbols.transportUsesMultistreamSym] !== true) return
  const { values } = instance.levels
  const label = typeof level === 'string' && Object.hasOwn(values, level) ? level : Object.keys(values)[0]!
  try {
    const levelMembers = instance[symbols.formattersSym].level(label, values[label]!) as { level?: unknown }
    if (member(levelMembers, 'level') === values[label]) return
  } catch {
    // A formatter that throws writes no level.
  }
  process.emitWarning(
    'custom formatters.level detected with multiple transport targets/pipelines; ensure logs include a numeric "level" field or they may be dropped',
    ownCopy({ code: 'PINO_TRANSPORT_MULTI_TARGETS_LEVEL_FORMATTER' }),
  )
}

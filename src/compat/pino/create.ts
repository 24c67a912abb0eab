import * as os from 'node:os'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { noBindings, renderBindings } from './bindings.ts'
import type { Diagnostic } from '../../options/configuration-error.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { DirectiveLevel } from '../shared/directive-level.ts'
import { directedLogger } from './disabled-method.ts'
import { createHookFailureReporter, type HookFailureReporter } from '../shared/hook-failures.ts'
import {
  emptyLineStart,
  stateSym,
  type AnyStream,
  type Instance,
  type LoggerState,
  type RecordSink,
} from './instance.ts'
import { checkDefaultLevel, resolveLevelComparison, canonicalLevel, createLevelMapping } from './levels.ts'
import { noop } from './log-method.ts'
import { resolveOptions, type GivenOptions, type ResolvedOptions } from './options.ts'
import { emptyInstance } from './prototype.ts'
import { boundAttributes } from './record-members.ts'
import { compilePinoRedaction } from './redaction.ts'
import { levelMemberNames, renderLevels } from './set-level.ts'
import * as symbols from './symbols.ts'
import { epochTime, standardTimeFunctions } from './time.ts'
import { ValueWriter } from './value-writer.ts'
import { addMembers } from '../../options/define-member.ts'

/**
 * Creates a logger that writes to `stream`.
 *
 * @param openRecordSink - creates the sink that exports the logger's records; undefined, or returns undefined, without exporters
 */
export function createInstance(
  givenOptions: GivenOptions,
  stream: AnyStream,
  openRecordSink?: (options: ResolvedOptions, attributes: object) => RecordSink | undefined,
): Instance {
  const options = resolveOptions(givenOptions, os.hostname())
  const level = canonicalLevel(options.level)
  const { customLevels, useOnlyCustomLevels, messageKey } = options
  const valueWriter = new ValueWriter(compilePinoRedaction(options.redact, 'pino'), options, limitsOf(options))
  const hookFailures = createHookFailureReporter(options.onDiagnostic, 'SLUICE_PINO_HOOK_THREW').withPatterns(
    valueWriter.patterns,
  )
  const timeText = sampleTime(options, hookFailures)
  checkDefaultLevel(level, customLevels, useOnlyCustomLevels)
  const instance = emptyInstance()
  addMembers(instance, {
    levels: createLevelMapping(customLevels, useOnlyCustomLevels),
    silent: noop,
    onChild: options.onChild,
    [symbols.levelCompSym]: resolveLevelComparison(options.levelComparison),
    [symbols.useOnlyCustomLevelsSym]: useOnlyCustomLevels,
    [symbols.streamSym]: stream,
    [symbols.timeSym]: options.time,
    [symbols.timeSliceIndexSym]: timeText.indexOf(':') + 1,
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
  const directiveName = typeof options.name === 'string' ? options.name : ''
  const state = rootState(options, bindings, {
    directiveLevel: new DirectiveLevel(directiveName, directedLogger(instance)),
    valueWriter,
    hookFailures,
    namesBeforeBindings: new Set([...levelMemberNames(instance), ...timeKeys(timeText)]),
  })
  if (givenOptions.useLevelLabels) hookFailures.reportDiagnostic(levelLabelsUnsupported)
  const recordSink = openRecordSink?.(options, boundAttributes(bindings, options, hookFailures))
  instance[stateSym] = { ...state, recordSink }
  instance[symbols.chindingsSym] = state.bindings.text
  const levelNames = Object.keys(instance.levels.values)
  state.directiveLevel.addLevelNames(levelNames)
  warnOfMissingLevels(instance, stream, level)
  sendConfig(instance, stream)
  instance[symbols.setLevelSym](level)
  state.directiveLevel.start(directedLogger(instance), levelNames, (diagnostic) =>
    hookFailures.reportDiagnostic(diagnostic),
  )
  return instance
}

/** The diagnostic for `useLevelLabels`, which is reported rather than rejected, because pino's own tests set this option. */
const levelLabelsUnsupported: Diagnostic = {
  code: 'SLUICE_OPTION_UNSUPPORTED',
  message: 'useLevelLabels is an option of earlier versions of pino; use formatters: { level: (level) => ({ level }) }',
}

/** Returns the state of a root logger, without exporters. */
function rootState(
  options: ResolvedOptions,
  bindings: object,
  {
    valueWriter,
    hookFailures,
    namesBeforeBindings,
    directiveLevel,
  }: Pick<LoggerState, 'valueWriter' | 'hookFailures' | 'namesBeforeBindings' | 'directiveLevel'>,
): LoggerState {
  const members = renderBindings(bindings, options.serializers, valueWriter, namesBeforeBindings, hookFailures)
  return {
    valueWriter,
    hookFailures,
    namesBeforeBindings,
    bindings: noBindings.with(members),
    directiveLevel,
    hasStandardTime: standardTimeFunctions.has(options.time),
    recordSink: undefined,
    cachedLineStart: emptyLineStart(),
  }
}

/** Returns the limits for values that `JSON.stringify` cannot serialize. */
function limitsOf({ depthLimit, edgeLimit }: ResolvedOptions): { depth: number; breadth: number } {
  return { depth: depthLimit, breadth: edgeLimit }
}

/** Returns `base` and `name`, formatted by `formatters.bindings`; no bindings if `base` is null. */
function rootBindings({ base, name, formatters }: ResolvedOptions): object {
  if (base === null) return {}
  const members = Object.entries(base ?? {})
  const bindings =
    formatters.bindings(Object.fromEntries(name === undefined ? members : [...members, ['name', name]])) ?? {}
  ignoreRejection(bindings)
  return bindings
}

/** Calls the option `timestamp` once, to find the names of the members that it writes. Never throws. */
function sampleTime({ time }: ResolvedOptions, hookFailures: HookFailureReporter): string {
  const consequence = 'the default timestamp is used'
  try {
    const text: unknown = time()
    hookFailures.observeIfPromise('timestamp', text, consequence)
    if (typeof text === 'string') return text // other values are reported by each log call
  } catch (error) {
    hookFailures.reportThrow('timestamp', error, consequence)
  }
  return epochTime()
}

/** Returns the names of the members in the text of a time. */
function timeKeys(timeText: string): string[] {
  try {
    return Object.keys(JSON.parse(`{${timeText.slice(1)}}`) as object)
  } catch {
    return ['time'] // The text is invalid, so each log call reports it and writes the default timestamp.
  }
}

/**
 * Emits the levels and the keys of the message and the error as a `message` event, if the stream emits events. Transports pass it to
 * their thread.
 */
function sendConfig(instance: Instance, stream: AnyStream): void {
  const emit = member(stream, 'emit')
  if (typeof emit !== 'function') return
  const { levels } = instance
  const config = { levels, messageKey: instance[symbols.messageKeySym], errorKey: instance[symbols.errorKeySym] }
  emit.call(stream, 'message', { code: 'PINO_CONFIG', config })
}

/** Warns if the targets of a transport select lines by level, but the lines do not contain a numeric level. */
function warnOfMissingLevels(instance: Instance, stream: AnyStream, level: string | number): void {
  if (stream[symbols.transportUsesMultistreamSym] !== true) return
  const { values } = instance.levels
  const label = typeof level === 'string' && Object.hasOwn(values, level) ? level : Object.keys(values)[0]!
  try {
    const levelMembers = instance[symbols.formattersSym].level(label, values[label]!) as { level?: unknown }
    if (member(levelMembers, 'level') === values[label]) return
  } catch {
    // A formatter that throws is treated like one that writes no level.
  }
  process.emitWarning(
    'custom formatters.level detected with multiple transport targets/pipelines; ensure logs include a numeric "level" field or they may be dropped',
    withoutPrototype({ code: 'PINO_TRANSPORT_MULTI_TARGETS_LEVEL_FORMATTER' }),
  )
}

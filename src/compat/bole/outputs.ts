import { anything, callback, checkOptions, type Check, type OptionSchema } from '../../options/option-checks.ts'
import { copyOptions } from '../../options/own-options.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { createCycleReplacer } from '../shared/cycles.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { JsonWriter } from '../shared/json-text.ts'
import type { ClosableRecordEmitter } from '../shared/log-records.ts'
import { compileRedactOption } from '../shared/rules.ts'
import { openStandardDestinationOrSelf, standardOutput } from '../shared/destination/standard-destination.ts'
import { createHookFailureReporter } from '../shared/hook-failures.ts'
import { levels, registry, type Output } from './registry.ts'
import type { Level, OutputOptions } from './types.ts'

const checkStream: Check = (value, path, problems) => {
  if (typeof member(Object(value) as { write?: unknown }, 'write') === 'function') return
  const message = 'must be a stream with the method write; without a stream, lines are written to standard output'
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message })
}

const checkLevel: Check = (value, path, problems) => {
  if (levels.includes(value as Level)) return
  problems.push({ code: 'SLUICE_OPTION_RANGE', path, message: `Must provide a "level" option: ${levels.join(', ')}` })
}

const schema: OptionSchema = {
  level: checkLevel,
  stream: checkStream,
  redact: anything,
  exporter: anything,
  onDiagnostic: callback,
}

/**
 * Checks the options of all outputs, then opens the outputs.
 *
 * @param openRecords - creates the emitter of records for an output; returns undefined if it has no exporters
 * @throws ConfigurationError for invalid options, before anything is opened.
 */
export function openOutputs(
  outputOptions: OutputOptions | readonly OutputOptions[],
  openRecords: (options: OutputOptions) => ClosableRecordEmitter | undefined,
): void {
  const problems: ConfigurationProblem[] = []
  const openers = Array.isArray(outputOptions)
    ? (outputOptions as readonly OutputOptions[]).map((each, index) =>
        checkOutput(each, `[${index}]`, problems, openRecords),
      )
    : [checkOutput(outputOptions as OutputOptions, '', problems, openRecords)]
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'bole.output')
  for (const open of openers) open()
}

/** Adds what is invalid in the options of an output to `problems`. Returns a function that opens the output. */
function checkOutput(
  givenOptions: OutputOptions,
  where: string,
  problems: ConfigurationProblem[],
  openRecords: (options: OutputOptions) => ClosableRecordEmitter | undefined,
): () => void {
  const path = (name: string): string => (where === '' ? name : `${where}.${name}`)
  // Without options, the missing level is reported below.
  const options = copyOptions(givenOptions, where, problems) ?? withoutPrototype({} as OutputOptions)
  checkOptions(options, schema, where, problems)
  // The level is required, but `checkOptions` does not check options that are undefined.
  if (options.level === undefined) checkLevel(undefined, path('level'), problems)
  const redaction = compileRedactOption(options.redact, path('redact'), problems)
  return () => {
    const { exporter, onDiagnostic } = options
    const defaultStream = exporter === undefined ? standardOutput() : undefined
    const output: Output = {
      stream: options.stream === undefined ? defaultStream : openStandardDestinationOrSelf(options.stream),
      recordEmitter: openRecords(options),
      json: new JsonWriter(redaction, { createReplacer: createCycleReplacer, thrownMarker }),
      hookFailures: createHookFailureReporter(onDiagnostic, 'SLUICE_BOLE_HOOK_THREW').withPatterns(redaction?.patterns),
    }
    for (const each of levels.slice(levels.indexOf(options.level))) registry().outputs[each].push(output)
  }
}

import { anything, callback, checkOptions, type Check, type OptionSchema } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { markAncestors } from '../shared/cycles.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { JsonText } from '../shared/json-text.ts'
import type { LogRecords } from '../shared/log-records.ts'
import { rulesOf } from '../shared/rules.ts'
import { openLineStream, standardOutput } from '../shared/destination/standard-destination.ts'
import { hookFailureReporter } from '../shared/hook-failures.ts'
import { levels, registry, type Output } from './registry.ts'
import type { Level, OutputOptions } from './types.ts'

const stream: Check = (value, path, problems) => {
  if (typeof member(Object(value) as { write?: unknown }, 'write') === 'function') return
  const message = 'must be a stream with the method write; without a stream, lines are written to standard output'
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message })
}

const level: Check = (value, path, problems) => {
  if (levels.includes(value as Level)) return
  problems.push({ code: 'SLUICE_OPTION_RANGE', path, message: `Must provide a "level" option: ${levels.join(', ')}` })
}

const schema: OptionSchema = { level, stream, redact: anything, exporter: anything, onDiagnostic: callback }

/**
 * Opens outputs after all of them were checked.
 *
 * @param recordsOf - creates the emitter of records for an output with exporters
 */
export function openOutputs(
  given: OutputOptions | readonly OutputOptions[],
  recordsOf: (options: OutputOptions) => LogRecords | undefined,
): void {
  const problems: ConfigurationProblem[] = []
  const all = Array.isArray(given)
    ? (given as readonly OutputOptions[]).map((each, index) => checked(each, `[${index}]`, problems, recordsOf))
    : [checked(given as OutputOptions, '', problems, recordsOf)]
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'bole.output')
  for (const open of all) open()
}

function checked(
  given: OutputOptions,
  where: string,
  problems: ConfigurationProblem[],
  recordsOf: (options: OutputOptions) => LogRecords | undefined,
): () => void {
  const path = (name: string): string => (where === '' ? name : `${where}.${name}`)
  // A value that is not an object has no level, which is reported below.
  const options = ownOptions(given, where, problems) ?? ownCopy({} as OutputOptions)
  checkOptions(options, schema, where, problems)
  if (options.level === undefined) level(undefined, path('level'), problems)
  const rules = rulesOf(options.redact, path('redact'), problems)
  return () => {
    const { exporter, onDiagnostic } = options
    const defaultStream = exporter === undefined ? standardOutput() : undefined
    const output: Output = {
      stream: options.stream === undefined ? defaultStream : openLineStream(options.stream),
      records: recordsOf(options),
      json: new JsonText(rules, { cycles: markAncestors, thrownMarker }),
      hookFailures: hookFailureReporter(onDiagnostic, 'SLUICE_BOLE_HOOK_THREW').redactedBy(rules?.patterns),
    }
    for (const each of levels.slice(levels.indexOf(options.level))) registry().outputs[each].push(output)
  }
}

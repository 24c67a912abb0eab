import type { CommandIo } from './report/command-io.ts'
import { runCheck } from './check/run-check.ts'
import { hasTimeLimit } from '../read/query/select-records.ts'
import { Diagnostics } from './diagnostics.ts'
import { countValue, intervalValue } from './options/number-value.ts'
import type { ParsedArguments } from './options/parse-arguments.ts'
import { UsageError } from './options/usage-error.ts'
import { decideColor, type ColorChoice } from './terminal/decide-color.ts'
import { readingOptions, timeFormat } from './read-options.ts'
import { writeAll } from './terminal/write-pieces.ts'
import { runStats } from './stats/run-stats.ts'
import { allTests, recordFilter } from './view/record-filter.ts'
import { isTerminal } from './terminal/is-terminal.ts'

const [standardInput, standardOutput] = [0, 1]

/** Runs `sluice stats`, and returns the exit code. */
export function runStatsCommand(parsed: ParsedArguments): Promise<number> {
  requireInput(parsed)
  const { options } = parsed
  const by = options.list('by')
  const { tests, query } = recordFilter(options)
  const isSlow = query !== undefined && hasTimeLimit(query)
  const statsOptions = {
    ...readingOptions(parsed),
    where: allTests(isSlow || query === undefined ? tests : [...tests, query]),
    slowQuery: isSlow ? query : undefined,
    by: by.length === 0 ? undefined : by,
    percentiles: options.list('percentiles'),
    interval: intervalValue(options),
    top: countValue(options, 'top'),
    output: reportFormat(parsed),
    time: timeFormat(options),
  }
  return runStats(statsOptions, commandIo(parsed))
}

/** Runs `sluice check`, and returns the exit code. */
export function runCheckCommand(parsed: ParsedArguments): Promise<number> {
  requireInput(parsed)
  const sequence = parsed.options.value('sequence')
  return runCheck({ ...readingOptions(parsed), sequence, output: reportFormat(parsed) }, commandIo(parsed))
}

/** @throws UsageError if a report has no files, and its standard input is a terminal. */
function requireInput({ command, operands }: ParsedArguments): void {
  if (operands.length === 0 && isTerminal(standardInput))
    throw new UsageError(`${command}: write the files to read, such as sluice ${command} app.log`)
}

function reportFormat({ options }: ParsedArguments): 'table' | 'json' {
  return options.value('output') === 'json' ? 'json' : 'table'
}

function commandIo({ options }: ParsedArguments): CommandIo {
  const isShown = isTerminal(standardOutput)
  const diagnostics = new Diagnostics()
  return {
    out(text) {
      const bytes = Buffer.from(text)
      writeAll(standardOutput, bytes, bytes.length)
    },
    err: (line) => diagnostics.note(line),
    columns: isShown ? process.stdout.columns || 80 : Infinity,
    // The option table lists the values.
    usesColors: decideColor((options.value('color') ?? 'auto') as ColorChoice, isShown, process.env),
  }
}

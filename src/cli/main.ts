// The program `sluice`: reads, follows, searches and summarizes log files.
import { oneLine } from '../options/one-line.ts'
import { runCommand } from './commands.ts'
import { UsageError } from './options/usage-error.ts'

void run()

async function run(): Promise<void> {
  try {
    process.exitCode = await runCommand(process.argv.slice(2))
  } catch (error) {
    fail(error)
  }
}

/** Prints an error, which is one line except for the excerpt of a query, and sets the exit code. */
function fail(error: unknown): void {
  const message = oneLine(error instanceof Error ? error.message : String(error))
  const excerpt = error instanceof UsageError && error.excerpt !== undefined ? `\n${error.excerpt}` : ''
  process.stderr.write(`sluice: ${message}${excerpt}\n`)
  process.exitCode = 2
}

// The program `sluice`: reads, follows, searches and summarizes log files.
import { oneLine } from '../options/one-line.ts'
import { runCommand } from './commands.ts'

// A reader such as `head` has closed the pipe: it has what it needs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  fail(error)
})

void run()

async function run(): Promise<void> {
  try {
    process.exitCode = await runCommand(process.argv.slice(2))
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  process.stderr.write(`sluice: ${oneLine(error instanceof Error ? error.message : String(error))}\n`)
  process.exitCode = 2
}

import { oneLine } from '../options/one-line.ts'

/** Prints messages to the standard error, one line each. */
export class Diagnostics {
  /** Whether an error was printed, which determines the exit code. */
  hasErrors = false

  /** Prints an error. */
  error(message: string): void {
    this.hasErrors = true
    this.note(message)
  }

  /** Prints a message that is not an error. */
  note(message: string): void {
    process.stderr.write(`sluice: ${oneLine(message)}\n`)
  }
}

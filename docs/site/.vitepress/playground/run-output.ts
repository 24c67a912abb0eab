import { counted } from './counted.ts'
import type { ConsoleEntry, ErrorEntry, RecordEntry, StopReason, WorkerMessage } from './messages.ts'
import { stopText } from './stop-text.ts'

/** The output of a program so far. */
export interface RunOutput {
  /** Records and lines of the console, in the order in which they were written. */
  readonly entries: readonly (RecordEntry | ConsoleEntry)[]
  readonly errors: readonly ErrorEntry[]
  /** Sentences about the run: why it was stopped, and what is not shown. */
  readonly notes: readonly string[]
  readonly isRunning: boolean
}

export const emptyOutput: RunOutput = { entries: [], errors: [], notes: [], isRunning: true }

/** Collects the messages of a worker. */
export class OutputCollector {
  private readonly entries: (RecordEntry | ConsoleEntry)[] = []
  private readonly errors: ErrorEntry[] = []
  private hiddenNote: string | undefined
  private endNote: string | undefined
  private isRunning = true

  add(message: WorkerMessage): void {
    if (message.kind === 'record' || message.kind === 'console') this.entries.push(message)
    else if (message.kind === 'error') this.errors.push(message)
    else if (message.kind === 'hidden') this.hiddenNote = hiddenText(message.records, message.lines)
    else if (message.kind === 'end') {
      this.isRunning = false
      if (message.isTimedOut) this.endNote = timeoutText(message.pendingTimers)
    }
  }

  stop(reason: StopReason): void {
    this.isRunning = false
    this.endNote = stopText(reason, 'program')
    if (this.hiddenNote !== undefined) this.hiddenNote = this.hiddenNote.replace(/^/, 'At least ')
  }

  /** Returns the output so far. */
  output(): RunOutput {
    return {
      entries: [...this.entries],
      errors: [...this.errors],
      notes: [this.hiddenNote, this.endNote].filter((note) => note !== undefined),
      isRunning: this.isRunning,
    }
  }
}

function timeoutText(pendingTimers: number): string {
  const reason = pendingTimers === 0 ? 'it awaits a promise' : `it has ${counted(pendingTimers, 'timer')}`
  return `The program was stopped after 3 s: ${reason}.`
}

function hiddenText(records: number, lines: number): string {
  const parts = [
    records > 0 && counted(records, 'record'),
    lines > 0 && counted(lines, 'line of the console', 'lines of the console'),
  ]
  const isOne = records + lines === 1
  return `${parts.filter((part) => part !== false).join(' and ')} ${isOne ? 'is' : 'are'} not shown, because there is too much output.`
}

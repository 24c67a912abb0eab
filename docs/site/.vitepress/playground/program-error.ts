import type { ErrorEntry } from './messages.ts'

/** The name of the program in stack traces. */
export const programName = 'program.js'

/** An error in the text of a program, with its position. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  readonly line: number
  readonly column: number

  /** Lines and columns start at 1. */
  constructor(message: string, line: number, column: number) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** Returns what is shown of a value that was thrown, with the position in the program, if it is known. */
export function errorEntryOf(thrown: unknown): ErrorEntry {
  if (thrown instanceof ProgramError) {
    const { message, line, column } = thrown
    return { kind: 'error', message, line, column }
  }
  const message = textOf(thrown)
  const [, line, column] = /program\.js:(\d+):(\d+)/.exec(stackOf(thrown)) ?? []
  return {
    kind: 'error',
    message: message.length > maxLength ? `${message.slice(0, maxLength)}…` : message,
    line: line === undefined ? undefined : Number(line),
    column: column === undefined ? undefined : Number(column),
  }
}

const maxLength = 2_000

function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'a value that cannot be converted to text was thrown'
  }
}

function stackOf(thrown: unknown): string {
  try {
    return String((thrown as Error).stack)
  } catch {
    return ''
  }
}

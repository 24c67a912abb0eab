/** The output of a command that prints a report, and the properties of its terminal. */
export interface CommandIo {
  /** Writes text to the standard output. */
  out(text: string): void
  /** Writes one line to the standard error. The text is already safe for a terminal. */
  err(line: string): void
  /** The width of the terminal in columns; Infinity without a terminal, so that nothing is truncated in a file. */
  readonly columns: number
  /** Whether the standard output is shown in color. */
  readonly usesColors: boolean
}

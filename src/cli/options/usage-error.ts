/** An error in the arguments. Its message is one line, and the program exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** Two lines that are safe for a terminal: the part of the argument with the error, and a caret below it. Undefined for other errors. */
  readonly excerpt: string | undefined

  constructor(message: string, excerpt?: string) {
    super(message)
    this.excerpt = excerpt
  }
}

/** An error in the arguments. Its message is one line, and the program exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** The part of the argument with the error, and a line with a caret, both safe for a terminal; undefined without them. */
  readonly excerpt: string | undefined

  constructor(message: string, excerpt?: string) {
    super(message)
    this.excerpt = excerpt
  }
}

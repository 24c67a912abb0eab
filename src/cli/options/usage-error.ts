/** An error in the arguments. Its message is one line, and the program exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

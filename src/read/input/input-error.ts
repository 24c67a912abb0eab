/** An input that cannot be read, or only in part. */
export class InputError extends Error {
  /** Identifies these errors where `instanceof` does not work. */
  override readonly name = 'InputError'
  /** A stable code. */
  readonly code = 'SLUICE_INPUT_UNREADABLE'
  /** The name of the input as it was given. */
  readonly file: string

  constructor(file: string, message: string) {
    super(`${file}: ${message}`)
    this.file = file
  }
}

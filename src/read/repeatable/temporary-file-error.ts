/** The error of a temporary file that cannot be created, written or read, for example because the disk is full. */
export class TemporaryFileError extends Error {
  /** Identifies these errors where `instanceof` does not work. */
  override readonly name = 'TemporaryFileError'
  /** The code of the system's error, such as `ENOSPC`; undefined without one. */
  readonly code: string | undefined
  /** The folder of temporary files. */
  readonly folder: string

  /** @param cause - the system's error */
  constructor(action: 'create' | 'write' | 'read', folder: string, cause: unknown) {
    const code = codeOf(cause)
    const reason = code === undefined ? '' : ` (${code})`
    super(`cannot ${action} a temporary file in ${folder}${reason}${adviceFor(code)}`, { cause })
    this.code = code
    this.folder = folder
  }
}

function codeOf(cause: unknown): string | undefined {
  const code = typeof cause === 'object' && cause !== null ? (cause as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : undefined
}

function adviceFor(code: string | undefined): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return ': the disk is full; free space, or set TMPDIR to a folder with more space'
  }
  return ': set TMPDIR to a folder that can be written'
}

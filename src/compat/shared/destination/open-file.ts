import { closeSync, constants } from 'node:fs'
import { withLogLocation } from '../../../exporters/file/log-path.ts'
import type { DestinationOptions } from './options.ts'
import { withoutPrototype } from '../../../options/own-members.ts'

/** Opens a file to append to it or to replace its content. Throws the error of the system call. */
export function openFile(path: string, options: DestinationOptions): number {
  const { append = true, mode, mkdir } = withoutPrototype(options)
  const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC } = constants
  return withLogLocation(path, { mkdir }, (location) =>
    location.open(O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), mode),
  )
}

/** Empties a file if possible. An error is reported later, when the file is opened to write its lines. */
export function emptyFile(path: string, options: DestinationOptions): void {
  try {
    closeSync(openFile(path, options))
  } catch {
    // Reported when the file is opened.
  }
}

/** Creates the error for `reopen` of a destination without a path. */
export function reopenError(): Error {
  return new Error('a file descriptor cannot be reopened: use the path of a file')
}

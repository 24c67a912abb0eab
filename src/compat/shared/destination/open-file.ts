import { closeSync, constants } from 'node:fs'
import { atLogPath } from '../../../exporters/file/log-path.ts'
import type { DestinationOptions } from './options.ts'
import { ownCopy } from '../../../options/own-members.ts'

/** Opens a file for what is appended to it, or in place of what it has. Throws what the system says. */
export function openFile(path: string, options: DestinationOptions): number {
  const { append = true, mode, mkdir } = ownCopy(options)
  const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC } = constants
  return atLogPath(path, mkdir, (place) => place.open(O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), mode))
}

/** Takes out what a file has, where that can be; where not, that is told when it is opened for its lines. */
export function emptyFile(path: string, options: DestinationOptions): void {
  try {
    closeSync(openFile(path, options))
  } catch {
    // told later
  }
}

export function notAFile(): Error {
  return new Error('a file descriptor cannot be opened again: give the path of a file')
}

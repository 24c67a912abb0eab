import { constants } from 'node:fs'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { openOwnFile } from '../../platform/node/regular-files.ts'
import { fileMode, type SpoolFiles } from './files.ts'

/** The file by which an owner shows that it is alive, and what it needs of the space that all owners share. */
export const aliveFile = 'alive'

/** What an owner states about its space, in bytes. */
export interface Reservation {
  /** Its files are not longer, and will not be, until it states more. */
  readonly reserved: number
  /** It needs so much more, and there is no room for it. */
  readonly wanted: number
}

const none: Reservation = { reserved: 0, wanted: 0 }
/** Two numbers of 16 digits and what separates them: as the length never changes, nothing is cut off. */
const width = 16
const length = 2 * width + 2

/** Writes it. Throws what the system says, or `UntrustedPathError` where another user may read or change it. */
export function writeAlive(files: SpoolFiles, directory: DirectoryHandle, { reserved, wanted }: Reservation): void {
  const { fd } = openOwnFile(files, directory.at(aliveFile), constants.O_WRONLY | constants.O_CREAT, fileMode)
  try {
    const text = `${String(reserved).padStart(width)} ${String(wanted).padStart(width)}\n`
    files.writeSync(fd, Buffer.from(text), 0, length, 0)
  } finally {
    files.closeSync(fd)
  }
}

/** Reads it; nothing is reserved where it is missing, or of an earlier version. */
export function readAlive(files: SpoolFiles, directory: DirectoryHandle): Reservation {
  try {
    const { fd } = openOwnFile(files, directory.at(aliveFile), constants.O_RDONLY)
    try {
      const bytes = Buffer.alloc(length)
      const found = /^ *(\d{1,16}) +(\d{1,16})\n$/.exec(bytes.toString('latin1', 0, files.readSync(fd, bytes)))
      return found === null ? none : { reserved: Number(found[1]), wanted: Number(found[2]) }
    } finally {
      files.closeSync(fd)
    }
  } catch {
    return none
  }
}

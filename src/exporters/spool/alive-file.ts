import { constants } from 'node:fs'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { openOwnFile } from '../../platform/node/regular-files.ts'
import { fileMode, type SpoolFiles } from './files.ts'

/** The file that shows that an owner is alive, and contains its reservation in the shared directory. */
export const livenessFile = 'alive'

/** An owner's reservation of space, in bytes. */
export interface Reservation {
  /** The owner's files are no longer than this, and stay so until it reserves more. */
  readonly reserved: number
  /** How much more space the owner needs that is not available. */
  readonly wanted: number
}

const noReservation: Reservation = { reserved: 0, wanted: 0 }
/** The width of each of the two numbers. The length of the file never changes, so it is never truncated. */
const width = 16
const length = 2 * width + 2

/**
 * Writes the file.
 *
 * @throws The system's error, or UntrustedPathError if another user may read or change the file.
 */
export function writeLiveness(files: SpoolFiles, directory: DirectoryHandle, { reserved, wanted }: Reservation): void {
  const { fd } = openOwnFile(files, directory.at(livenessFile), constants.O_WRONLY | constants.O_CREAT, fileMode)
  try {
    const text = `${String(reserved).padStart(width)} ${String(wanted).padStart(width)}\n`
    files.writeSync(fd, Buffer.from(text), 0, length, 0)
  } finally {
    files.closeSync(fd)
  }
}

/** Reads the file. Nothing is reserved if it is missing or was written by an earlier version. */
export function readLiveness(files: SpoolFiles, directory: DirectoryHandle): Reservation {
  try {
    const { fd } = openOwnFile(files, directory.at(livenessFile), constants.O_RDONLY)
    try {
      const bytes = Buffer.alloc(length)
      const found = /^ *(\d{1,16}) +(\d{1,16})\n$/.exec(bytes.toString('latin1', 0, files.readSync(fd, bytes)))
      return found === null ? noReservation : { reserved: Number(found[1]), wanted: Number(found[2]) }
    } finally {
      files.closeSync(fd)
    }
  } catch {
    return noReservation
  }
}

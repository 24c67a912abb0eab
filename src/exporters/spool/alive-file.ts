import { constants } from 'node:fs'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { openOwnFile } from '../../platform/node/regular-files.ts'
import { fileMode, writeAllSync, type SpoolFileSystem } from './files.ts'

/** The name of the file that shows that an owner is alive, and contains its reservation in the shared directory. */
export const livenessFileName = 'alive'

/** An owner's reservation of space, in bytes. */
export interface Reservation {
  /** The owner's files together use at most this much until it reserves more. */
  readonly reservedBytes: number
  /** How much more space the owner needs than is available. Others that use more than an equal share release it. */
  readonly additionalBytesNeeded: number
}

const noReservation: Reservation = { reservedBytes: 0, additionalBytesNeeded: 0 }
/**
 * The number of characters of each of the two numbers. The length of the file never changes, so each write replaces the whole
 * content.
 */
const numberWidth = 16
/** The length of the file in bytes: two numbers, a space and a newline. */
const fileLength = 2 * numberWidth + 2

/**
 * Writes the file, which is created if it is missing. Its time of modification is the owner's heartbeat.
 *
 * @throws The system's error, or UntrustedPathError if another user may read or change the file.
 */
export function writeLiveness(
  files: SpoolFileSystem,
  directory: DirectoryHandle,
  { reservedBytes, additionalBytesNeeded }: Reservation,
): void {
  const { fd } = openOwnFile(
    files,
    directory.pathOf(livenessFileName),
    constants.O_WRONLY | constants.O_CREAT,
    fileMode,
  )
  try {
    const text = `${String(reservedBytes).padStart(numberWidth)} ${String(additionalBytesNeeded).padStart(numberWidth)}\n`
    writeAllSync(files, fd, Buffer.from(text), 0)
  } finally {
    files.closeSync(fd)
  }
}

/** Reads the file. Returns a reservation of 0 if that fails or the content is invalid, such as that of an earlier version. */
export function readLiveness(files: SpoolFileSystem, directory: DirectoryHandle): Reservation {
  try {
    const { fd } = openOwnFile(files, directory.pathOf(livenessFileName), constants.O_RDONLY)
    try {
      const bytes = Buffer.alloc(fileLength)
      const match = /^ *(\d{1,16}) +(\d{1,16})\n$/.exec(bytes.toString('latin1', 0, files.readSync(fd, bytes)))
      return match === null
        ? noReservation
        : { reservedBytes: Number(match[1]), additionalBytesNeeded: Number(match[2]) }
    } finally {
      files.closeSync(fd)
    }
  } catch {
    return noReservation
  }
}

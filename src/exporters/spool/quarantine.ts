import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import type { BaseDirectory } from './base-directory.ts'
import { fileDistrust } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import { directoryMode, fileMode, newFile, type SpoolFiles } from './files.ts'
import { ownCopy } from '../../options/own-members.ts'

/** The directory for unreadable data, next to the directories of owners. */
const directoryName = 'quarantine'
const extension = '.corrupt'

/**
 * Keeps a piece of a file that is not a valid line, for manual inspection. All pieces together use at most `maxBytes`: the
 * oldest are removed. Nothing is written to, or removed from, a directory of another user.
 *
 * @returns Whether the piece was kept. Never throws.
 */
export function writeToQuarantine(
  files: SpoolFiles,
  base: BaseDirectory,
  name: string,
  bytes: Uint8Array,
  maxBytes: number,
): boolean {
  try {
    const length = Math.max(bytes.length, minFileBytes)
    if (length > maxBytes) return false
    const directory = openQuarantine(files, base)
    try {
      removeOldest(files, directory, maxBytes - length)
      writeFile(files, directory, `${name}${extension}`, bytes)
    } finally {
      directory.close()
    }
    return true
  } catch {
    return false // the disk is full, which may have caused the damage; or another user has taken the name
  }
}

function openQuarantine(files: SpoolFiles, base: BaseDirectory): DirectoryHandle {
  try {
    files.mkdirSync(base.open().at(directoryName), ownCopy({ mode: directoryMode }))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return base.openChild(directoryName)
}

function writeFile(files: SpoolFiles, directory: DirectoryHandle, name: string, bytes: Uint8Array): void {
  const fd = files.openSync(directory.at(name), newFile, fileMode)
  try {
    files.writeSync(fd, bytes)
  } finally {
    files.closeSync(fd)
  }
}

function removeOldest(files: SpoolFiles, directory: DirectoryHandle, maxBytes: number): void {
  const kept = files
    .readdirSync(directory.at('.'))
    .filter((name) => name.endsWith(extension))
    .map((name) => ({ name, stats: files.lstatSync(directory.at(name)) }))
    .filter(({ name, stats }) => fileDistrust(name, stats) === undefined)
    .toSorted((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
  let sum = 0
  for (const { name, stats } of kept) {
    sum += Math.max(stats.size, minFileBytes)
    if (sum > maxBytes) files.unlinkSync(directory.at(name))
  }
}

/** The minimum disk usage counted for a file, in bytes, because many tiny files fill a disk too. */
const minFileBytes = 4_096

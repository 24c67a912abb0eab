import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import type { BaseDirectory } from './base-directory.ts'
import { reasonToDistrustOwnFile } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import { directoryMode, fileMode, newFileFlags, writeAllSync, type SpoolFileSystem } from './files.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** The name of the directory for unreadable data, next to the directories of owners. */
const directoryName = 'quarantine'
const extension = '.corrupt'

/**
 * Writes a piece of a file that is not a valid line to the quarantine directory, for manual inspection. All pieces together use
 * at most `maxBytes`: the oldest are removed. Nothing is written to, or removed from, a directory of another user.
 *
 * @param name - The name of the new file, without its extension.
 * @returns Whether the piece was written. Never throws.
 */
export function writeToQuarantine(
  files: SpoolFileSystem,
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
    return false // for example, the disk is full, which may also have damaged the line, or another user owns the directory
  }
}

function openQuarantine(files: SpoolFileSystem, base: BaseDirectory): DirectoryHandle {
  try {
    files.mkdirSync(base.open().pathOf(directoryName), withoutPrototype({ mode: directoryMode }))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return base.openChild(directoryName)
}

/** Writes a new file. If that fails, for example because the disk is full, a part of it is not kept. Throws the system's error. */
function writeFile(files: SpoolFileSystem, directory: DirectoryHandle, name: string, bytes: Uint8Array): void {
  const fd = files.openSync(directory.pathOf(name), newFileFlags, fileMode)
  try {
    writeAllSync(files, fd, bytes, 0)
  } catch (error) {
    files.unlinkSync(directory.pathOf(name))
    throw error
  } finally {
    files.closeSync(fd)
  }
}

/** Removes the oldest files, so that the others use at most `maxBytes`. */
function removeOldest(files: SpoolFileSystem, directory: DirectoryHandle, maxBytes: number): void {
  const newestFirst = files
    .readdirSync(directory.pathOf('.'))
    .filter((name) => name.endsWith(extension))
    .map((name) => ({ name, stats: files.lstatSync(directory.pathOf(name)) }))
    .filter(({ name, stats }) => reasonToDistrustOwnFile(name, stats) === undefined)
    .toSorted((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
  let totalBytes = 0
  for (const { name, stats } of newestFirst) {
    totalBytes += Math.max(stats.size, minFileBytes)
    if (totalBytes > maxBytes) files.unlinkSync(directory.pathOf(name))
  }
}

/** The minimum disk usage counted for a file, in bytes, because many tiny files fill a disk too. */
const minFileBytes = 4_096

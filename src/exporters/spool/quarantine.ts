import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import type { BaseDirectory } from './base-directory.ts'
import { fileDistrust } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import { directoryMode, fileMode, newFile, type SpoolFiles } from './files.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Where what cannot be read is kept, next to the directories of owners. */
const place = 'set-aside'
const extension = '.corrupt'

/**
 * Keeps a piece of a file that is not a valid line, for a person to look at. All of them together take at most `maxBytes`: the
 * oldest are removed. Nothing is written to, or removed from, a directory of another user.
 *
 * @returns whether it was kept. Never throws.
 */
export function quarantine(
  files: SpoolFiles,
  base: BaseDirectory,
  name: string,
  bytes: Uint8Array,
  maxBytes: number,
): boolean {
  try {
    const length = Math.max(bytes.length, smallest)
    if (length > maxBytes) return false
    const directory = openPlace(files, base)
    try {
      bound(files, directory, maxBytes - length)
      keep(files, directory, `${name}${extension}`, bytes)
    } finally {
      directory.close()
    }
    return true
  } catch {
    return false // a full disk, perhaps the very reason for the damage; or the name is taken by another user
  }
}

function openPlace(files: SpoolFiles, base: BaseDirectory): DirectoryHandle {
  try {
    files.mkdirSync(base.open().at(place), ownCopy({ mode: directoryMode }))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return base.openChild(place)
}

function keep(files: SpoolFiles, directory: DirectoryHandle, name: string, bytes: Uint8Array): void {
  const fd = files.openSync(directory.at(name), newFile, fileMode)
  try {
    files.writeSync(fd, bytes)
  } finally {
    files.closeSync(fd)
  }
}

function bound(files: SpoolFiles, directory: DirectoryHandle, maxBytes: number): void {
  const kept = files
    .readdirSync(directory.at('.'))
    .filter((name) => name.endsWith(extension))
    .map((name) => ({ name, stats: files.lstatSync(directory.at(name)) }))
    .filter(({ name, stats }) => fileDistrust(name, stats) === undefined)
    .toSorted((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
  let sum = 0
  for (const { name, stats } of kept) {
    sum += Math.max(stats.size, smallest)
    if (sum > maxBytes) files.unlinkSync(directory.at(name))
  }
}

/** What a file takes at least, in bytes: many tiny ones fill a disk, too. */
const smallest = 4_096

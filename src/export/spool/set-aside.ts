import { join } from 'node:path'
import { directoryMode, fileMode, type SpoolFiles } from './files.ts'
import { makeDirectory } from '../write/make-directory.ts'

/** Where what cannot be read is kept, beside the directories of owners. */
const place = 'set-aside'

/**
 * Keeps a piece of a file that is no line of ours, for a person to look at. All of them together take at most `maxBytes`: the
 * oldest go. Never throws: what cannot be kept is gone.
 */
export function setAside(files: SpoolFiles, base: string, name: string, bytes: Uint8Array, maxBytes: number): void {
  const directory = join(base, place)
  try {
    makeDirectory(directory, directoryMode, files)
    const fd = files.openSync(join(directory, `${name}.corrupt`), 'w', fileMode)
    try {
      files.writeSync(fd, bytes)
    } finally {
      files.closeSync(fd)
    }
    bound(files, directory, maxBytes)
  } catch {
    // a full disk, perhaps the very reason for the damage
  }
}

function bound(files: SpoolFiles, directory: string, maxBytes: number): void {
  const kept = files
    .readdirSync(directory)
    .map((name) => ({ path: join(directory, name), stat: files.statSync(join(directory, name)) }))
    .toSorted((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)
  let sum = 0
  for (const { path, stat } of kept) {
    sum += Math.max(stat.size, smallest)
    if (sum > maxBytes) files.unlinkSync(path)
  }
}

/** What a file takes at least, in bytes: many tiny ones fill a disk, too. */
const smallest = 4_096

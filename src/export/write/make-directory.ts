import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './write-errors.ts'

/**
 * Makes a directory, and those above it that are missing. Not by Node's `recursive`, which never comes back where a directory
 * that is there lets nobody make one and says ENOENT, as those of /proc do.
 *
 * @throws the system's error.
 */
export function makeDirectory(path: string, mode = 0o777, files: Pick<typeof fs, 'mkdirSync'> = fs): void {
  const missing: string[] = []
  let at = path
  while (!isThere(at, mode, files)) {
    missing.push(at)
    at = dirname(at)
  }
  for (const each of missing.toReversed()) {
    if (!isThere(each, mode, files)) throw Object.assign(new Error('no directory can be made here'), { code: 'ENOENT' })
  }
}

/** Makes a directory; false where that above it is missing, or says so. */
function isThere(path: string, mode: number, files: Pick<typeof fs, 'mkdirSync'>): boolean {
  try {
    files.mkdirSync(path, { mode })
  } catch (error) {
    const code = errorCode(error)
    // EISDIR: how some systems say it of the root.
    if (code === 'EEXIST' || code === 'EISDIR') return true
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    return false
  }
  return true
}

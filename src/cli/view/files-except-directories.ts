import { statSync } from 'node:fs'
import { ifExists } from '../../platform/node/file-options.ts'
import type { Diagnostics } from '../diagnostics.ts'

/** Returns the files that can be followed. A directory is reported as an error: following it would wait forever. */
export function filesExceptDirectories(files: readonly string[], diagnostics: Diagnostics): readonly string[] {
  return files.filter((file) => {
    const isDirectory = isDirectoryAt(file)
    if (isDirectory) diagnostics.error(`${file}: a directory is not followed; write ${file.replace(/\/*$/, '')}/*.log`)
    return !isDirectory
  })
}

function isDirectoryAt(path: string): boolean {
  try {
    return statSync(path, ifExists)?.isDirectory() === true
  } catch {
    // Following the file reports the error.
    return false
  }
}

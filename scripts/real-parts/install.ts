import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, folderOf, type Part } from './part.ts'

/**
 * Makes a part that is not there yet, and returns its folder. It is made under another name and renamed when it is whole:
 * neither a run that was ended half-way nor two runs at once leave half a part where one is looked for.
 */
export function install(part: Part): string {
  const folder = folderOf(part)
  if (isThere(part)) return folder
  mkdirSync(cacheFolder(), { recursive: true })
  const making = mkdtempSync(join(cacheFolder(), `making-${part.name}-`))
  try {
    part.make(making)
    if (isThere(part)) return folder // another run was faster
    // What lies there lacks its main file: a Python venv, say, whose Python is gone.
    rmSync(folder, { recursive: true, force: true })
    renameSync(making, folder)
    return folder
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

export function isThere(part: Part): boolean {
  return existsSync(join(folderOf(part), part.mainFile))
}

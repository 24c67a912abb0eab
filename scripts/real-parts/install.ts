import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, folderOf, type Part } from './part.ts'

const DAY_MILLIS = 24 * 60 * 60 * 1000

/**
 * Makes a part that is not there yet, and returns its folder. It is made under another name and renamed when it is whole:
 * neither a run that was ended half-way nor two runs at once leave half a part where one is looked for.
 */
export function install(part: Part): string {
  const folder = folderOf(part)
  if (isThere(part)) return folder
  mkdirSync(cacheFolder(), { recursive: true })
  removeLeftovers(part)
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

/** What killed runs left behind. A younger folder may be another run's. */
function removeLeftovers({ name }: Part): void {
  for (const leftover of globSync(join(cacheFolder(), `making-${name}-*`))) {
    if (Date.now() - statSync(leftover).mtimeMs > DAY_MILLIS) rmSync(leftover, { recursive: true, force: true })
  }
}

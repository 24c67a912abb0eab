import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, folderOf, type Part } from './part.ts'

const DAY_MILLIS = 24 * 60 * 60 * 1000

/**
 * Installs a part if it is missing, and returns its folder. It is installed under another name and renamed when it is complete, so that
 * neither an interrupted run nor concurrent runs leave an incomplete part.
 */
export function install(part: Part): string {
  const folder = folderOf(part)
  if (isInstalled(part)) return folder
  mkdirSync(cacheFolder(), { recursive: true })
  removeLeftovers(part)
  const making = mkdtempSync(join(cacheFolder(), `making-${part.name}-`))
  try {
    part.make(making)
    if (isInstalled(part)) return folder // another run has installed it
    // The existing folder lacks its main file, such as a Python venv whose Python was removed.
    rmSync(folder, { recursive: true, force: true })
    renameSync(making, folder)
    return folder
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

export function isInstalled(part: Part): boolean {
  return existsSync(join(folderOf(part), part.mainFile))
}

/** Returns the folders that killed runs have left. A recent folder may belong to another run. */
function removeLeftovers({ name }: Part): void {
  for (const leftover of globSync(join(cacheFolder(), `making-${name}-*`))) {
    if (Date.now() - statSync(leftover).mtimeMs > DAY_MILLIS) rmSync(leftover, { recursive: true, force: true })
  }
}

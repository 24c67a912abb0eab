import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Something real that tests start and that npm does not install. It lies in a folder of its own under the user's cache, so
 * that it outlives the checkout. The folder's name holds a hash of `configuration`: another version is another folder, and
 * what an older checkout uses stays as it is.
 */
export interface Part {
  readonly name: string
  /** The file beside this one that says which packages and versions the part is made of. */
  readonly configuration: string
  /** The programs that make it, as they are called. */
  readonly madeBy: readonly string[]
  /** A file inside its folder without which it is of no use. */
  readonly mainFile: string
  /** Fills `folder`, which exists and is empty. It may be moved afterwards. */
  make(folder: string): void
}

/** Where a part lies, or would lie. */
export function folderOf(part: Part): string {
  const hash = createHash('sha256')
  for (const text of [process.platform, process.arch, readFileSync(configurationOf(part))])
    hash.update(text).update('\n')
  return join(cacheFolder(), `${part.name}-${hash.digest('hex').slice(0, 12)}`)
}

export function configurationOf(part: Part): string {
  return join(import.meta.dirname, part.configuration)
}

/** `$XDG_CACHE_HOME/sluice`, else `~/.cache/sluice`. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice')
}

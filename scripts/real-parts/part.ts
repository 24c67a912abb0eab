import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * A real program that tests start and that npm does not install. Its folder is in the cache of the user, so that it can be used by
 * several checkouts. The name of the folder contains a hash of `configuration`, so that different versions have different folders.
 */
export interface Part {
  readonly name: string
  /** The file in this folder that lists the packages and versions of the part. */
  readonly configuration: string
  /** The programs that are needed to install it. */
  readonly madeBy: readonly string[]
  /** A file in its folder that shows that the part is installed. */
  readonly mainFile: string
  /** Installs the part in `folder`, which is empty. The folder may be moved afterwards. */
  make(folder: string): void
}

/** Returns the folder of a part, which may not exist. */
export function folderOf(part: Part): string {
  const hash = createHash('sha256')
  for (const text of [process.platform, process.arch, readFileSync(configurationOf(part))])
    hash.update(text).update('\n')
  return join(cacheFolder(), `${part.name}-${hash.digest('hex').slice(0, 12)}`)
}

export function configurationOf(part: Part): string {
  return join(import.meta.dirname, part.configuration)
}

/** Returns `$XDG_CACHE_HOME/sluice` or `~/.cache/sluice`. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice')
}

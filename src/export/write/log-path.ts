import { lstatSync, openSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { openFlags } from '../../runtime/open-flags.ts'
import { isTrustedLink, UntrustedPathError } from '../../runtime/path-trust.ts'
import { errorCode } from './write-errors.ts'

/** As many links as Linux follows. */
const mostLinks = 40
/** How systems report a link that is not followed: by O_NOFOLLOW (EMLINK on FreeBSD), or by a rule of their own (EACCES). */
const linkCodes = new Set(['ELOOP', 'EMLINK', 'EACCES'])
const othersWrite = 0o002

/**
 * Opens the path of a log that the user has configured. It may contain links, such as /dev/stdout or /var/log/app.log. In a
 * directory that everyone can write to, only a link of this user, root or the directory's owner is followed: what Linux does
 * with `protected_symlinks`, on every system and also where the directory is not sticky.
 *
 * Someone who can rename what is in such a directory can exchange a link between the check and the opening. Only directories
 * without the sticky bit allow that.
 *
 * @throws UntrustedPathError, or the system's error.
 */
export function openLogPath(path: string, flags: number, mode?: number | string): number {
  checkLinks(path)
  try {
    return openSync(path, flags | openFlags.O_NOFOLLOW, mode)
  } catch (error) {
    if (!linkCodes.has(errorCode(error))) throw error
  }
  // There is a link, perhaps since just now.
  checkLinks(path)
  return openSync(path, flags, mode)
}

/**
 * Checks all links that a path leads through. What is missing or cannot be looked at is left to whoever opens it.
 *
 * @throws UntrustedPathError
 */
export function checkLinks(path: string): void {
  if (process.geteuid === undefined) return
  const { root } = parse(resolve(path))
  let at = root
  const parts = partsOf(resolve(path))
  for (let links = 0; parts.length > 0 && links <= mostLinks;) {
    const part = parts.shift()!
    const next = part === '..' ? dirname(at) : join(at, part)
    const target = part === '..' ? undefined : targetOf(next, at)
    if (target === undefined) at = next
    else {
      links++
      if (isAbsolute(target)) at = root
      parts.unshift(...partsOf(target))
    }
  }
}

const partsOf = (path: string): string[] => path.split(sep).filter((part) => part !== '' && part !== '.')

/** Where a link leads that may be followed; undefined for what is none. */
function targetOf(path: string, directory: string): string | undefined {
  try {
    const link = lstatSync(path, { throwIfNoEntry: false })
    if (link?.isSymbolicLink() !== true) return undefined
    const { mode, uid } = lstatSync(directory)
    if ((mode & othersWrite) === 0 || isTrustedLink(link) || link.uid === uid) return readlinkSync(path)
    throw new UntrustedPathError(
      `${path} is a symbolic link of user ${link.uid} in a directory that everyone can write to: remove it, or log elsewhere`,
    )
  } catch (error) {
    if (error instanceof UntrustedPathError) throw error
    return undefined
  }
}

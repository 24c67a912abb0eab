import { lstatSync, openSync, readlinkSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openFlags } from '../../runtime/open-flags.ts'
import { isTrustedLink, UntrustedPathError } from '../../runtime/path-trust.ts'
import { errorCode } from './write-errors.ts'

/** As many links as Linux follows. */
const mostLinks = 40
/** How systems report a link that is not followed: by O_NOFOLLOW (EMLINK on FreeBSD), or by a rule of their own (EACCES). */
const linkCodes = new Set(['ELOOP', 'EMLINK', 'EACCES'])
const othersWrite = 0o002

/**
 * Opens the path of a log that the user has configured. It may be a link, such as /dev/stdout or /var/log/app.log. In a
 * directory that everyone can write to, only a link of this user, root or the directory's owner is followed: what Linux does
 * with `protected_symlinks`, on every system and also where the directory is not sticky.
 *
 * Someone who can rename what is in such a directory can exchange a link between the check and the opening. Only directories
 * without the sticky bit allow that.
 *
 * @throws UntrustedPathError, or the system's error.
 */
export function openLogPath(path: string, flags: number, mode?: number | string): number {
  try {
    return openSync(path, flags | openFlags.O_NOFOLLOW, mode)
  } catch (error) {
    if (!linkCodes.has(errorCode(error))) throw error
  }
  checkLinks(resolve(path))
  return openSync(path, flags, mode)
}

function checkLinks(path: string): void {
  for (let at = path, left = mostLinks; left > 0; left--) {
    const link = lstatSync(at, { throwIfNoEntry: false })
    if (link?.isSymbolicLink() !== true) return
    const directory = statSync(dirname(at))
    if ((directory.mode & othersWrite) !== 0 && !isTrustedLink(link) && link.uid !== directory.uid) {
      throw new UntrustedPathError(
        `${at} is a symbolic link of user ${link.uid} in a directory that everyone can write to: remove it, or log elsewhere`,
      )
    }
    at = resolve(dirname(at), readlinkSync(at))
  }
}

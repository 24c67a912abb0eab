import type { Stats } from 'node:fs'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** An error for a file or directory that another user controls or can replace. */
export class UntrustedPathError extends Error {
  override readonly name = 'UntrustedPathError'
  readonly code = 'SLUICE_PATH_UNTRUSTED'
}

/** The rules for accepting a directory. */
export interface DirectoryRules {
  /**
   * Whether only this process's user may own the directory, and no other user may write to it. By default, root may own it too,
   * and others may write to it if it is sticky.
   */
  readonly isPrivate?: boolean
  /** Whether the group may write to the directory. */
  readonly allowGroupWrite?: boolean
}

const stickyBit = 0o1000

/**
 * Returns why a directory must not be used and how to fix it, or undefined if it is safe or the system has no user IDs (Windows).
 * In a sticky directory of this user or root, other users can create files, but cannot rename or remove those of this user.
 */
export function reasonToDistrustDirectory(path: string, stats: Stats, rules: DirectoryRules = {}): string | undefined {
  const { isPrivate = false, allowGroupWrite = false } = withoutPrototype(rules)
  const uid = effectiveUserId()
  if (uid === undefined) return undefined
  if (stats.uid !== uid && (isPrivate || stats.uid !== 0)) {
    return `${path} is owned by user ${stats.uid}, but this process runs as user ${uid}: choose another directory, or chown it`
  }
  const forbiddenWriteBits = allowGroupWrite ? 0o002 : 0o022
  const isSticky = !isPrivate && (stats.mode & stickyBit) !== 0
  if ((stats.mode & forbiddenWriteBits) === 0 || isSticky) return undefined
  return `other users can write to ${path} (mode ${modeText(stats)}): run chmod 700 on it, or choose another directory`
}

/**
 * Returns why a file must not be used as this user's own, or undefined for a regular file that this user owns and that has no second
 * hard link.
 */
export function reasonToDistrustOwnFile(path: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return `${path} is not a regular file`
  if (!isOwnedByThisUser(stats)) return `${path} is owned by user ${stats.uid}`
  // The other name can be in a directory of another user, or the file can have been created for another purpose.
  return stats.nlink > 1 ? `${path} has ${stats.nlink} hard links` : undefined
}

/** The directory of a link or file. */
interface ParentDirectory {
  /** Whether only this process's user and root can create files and links in it. */
  readonly excludesOtherUsers: boolean
}

/**
 * Returns why a symbolic link must not be followed and how to fix it, or undefined if it may be followed: if only this user
 * and root can create files and links in its directory, or if one of them owns the link and it has no second hard link. With a second one,
 * another user may have linked it here.
 */
export function reasonToDistrustLink(path: string, link: Stats, directory: ParentDirectory): string | undefined {
  const isTrusted = isOwnedByThisUser(link) || link.uid === 0
  if ((isTrusted && link.nlink === 1) || directory.excludesOtherUsers) return undefined
  if (isTrusted) return hardLinkReason(path, link)
  return `${path} is a symbolic link of user ${link.uid}: remove it, or choose another path`
}

/**
 * Returns why a file must not be written to, or undefined if it may be: a file with several hard links must not be written to if
 * another user may have created this link to it.
 */
export function reasonToDistrustHardLinks(path: string, file: Stats, directory: ParentDirectory): string | undefined {
  return file.isFile() && file.nlink > 1 && !directory.excludesOtherUsers ? hardLinkReason(path, file) : undefined
}

/**
 * Returns whether only this process's user and root can create files and links in a directory. False if its state is unknown; always true
 * on Windows.
 */
export function excludesOtherUsers(directory: Stats | undefined): boolean {
  if (effectiveUserId() === undefined) return true
  return (
    directory !== undefined && (isOwnedByThisUser(directory) || directory.uid === 0) && (directory.mode & 0o022) === 0
  )
}

/** Returns whether this process's user owns a file; true if the system has no users (Windows). */
export function isOwnedByThisUser({ uid }: Stats): boolean {
  return uid === (effectiveUserId() ?? uid)
}

/** Returns the effective user ID of this process; undefined on Windows. */
function effectiveUserId(): number | undefined {
  return member(process, 'geteuid')?.()
}

function hardLinkReason(path: string, { nlink }: Stats): string {
  return `${path} has ${nlink} hard links, and other users can create files in its directory: remove it, or choose another path`
}

function modeText({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

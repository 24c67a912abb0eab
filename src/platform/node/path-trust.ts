import type { Stats } from 'node:fs'
import { member, ownCopy } from '../../options/own-members.ts'

/** An error for a file or directory that another user controls or can replace. */
export class UntrustedPathError extends Error {
  override readonly name = 'UntrustedPathError'
  readonly code = 'SLUICE_PATH_UNTRUSTED'
}

/** The rules for accepting a directory. */
export interface DirectoryRules {
  /**
   * Whether only this process's user may own it and no other user may write to it. By default, root may own it too, and it may
   * be sticky.
   */
  readonly isPrivate?: boolean
  /** Whether the group may write to it. */
  readonly allowGroupWrite?: boolean
}

const stickyBit = 0o1000

/**
 * Returns why a directory must not be used and how to fix it, or undefined if it is safe. In a sticky directory of this user or
 * root, other users can add names, but cannot rename or remove those of this user.
 */
export function directoryDistrust(path: string, stats: Stats, rules: DirectoryRules = {}): string | undefined {
  const { isPrivate = false, allowGroupWrite = false } = ownCopy(rules)
  const uid = effectiveUser()
  if (uid === undefined) return undefined
  if (stats.uid !== uid && (isPrivate || stats.uid !== 0)) {
    return `${path} is owned by user ${stats.uid}, but this process runs as user ${uid}: choose another directory, or chown it`
  }
  const foreignWrite = allowGroupWrite ? 0o002 : 0o022
  const isSticky = !isPrivate && (stats.mode & stickyBit) !== 0
  if ((stats.mode & foreignWrite) === 0 || isSticky) return undefined
  return `other users can write to ${path} (mode ${modeText(stats)}): run chmod 700 on it, or choose another directory`
}

/** Returns why a file may not have been written by this process's user alone, or undefined if it was. */
export function fileDistrust(path: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return `${path} is not a regular file`
  if (!isOwn(stats)) return `${path} is owned by user ${stats.uid}`
  // The other name can be in a directory of another user, or the file can have been created for another purpose.
  return stats.nlink > 1 ? `${path} has ${stats.nlink} hard links` : undefined
}

/** A directory, and whether only this process's user and root can create names in it. */
interface NameDirectory {
  readonly isExclusive: boolean
}

/**
 * Returns why a symbolic link must not be followed and how to fix it, or undefined if it may be followed. Only this user or
 * root may have created it. A link with a second hard link can be one of theirs that another user has linked here.
 */
export function linkDistrust(path: string, link: Stats, directory: NameDirectory): string | undefined {
  const isTrusted = isOwn(link) || link.uid === 0
  if ((isTrusted && link.nlink === 1) || directory.isExclusive) return undefined
  if (isTrusted) return namesOf(path, link)
  return `${path} is a symbolic link of user ${link.uid}: remove it, or choose another path`
}

/** Returns why a file must not be written to because another user may have created its name, or undefined if it may be. */
export function nameDistrust(path: string, file: Stats, directory: NameDirectory): string | undefined {
  return file.isFile() && file.nlink > 1 && !directory.isExclusive ? namesOf(path, file) : undefined
}

/** Returns whether only this process's user and root can create names in a directory; false if its state is unknown. */
export function isExclusive(directory: Stats | undefined): boolean {
  if (effectiveUser() === undefined) return true
  return directory !== undefined && (isOwn(directory) || directory.uid === 0) && (directory.mode & 0o022) === 0
}

/** Returns whether this process's user owns a file; true if the system has no users (Windows). */
export function isOwn({ uid }: Stats): boolean {
  return uid === (effectiveUser() ?? uid)
}

function effectiveUser(): number | undefined {
  return member(process, 'geteuid')?.()
}

function namesOf(path: string, { nlink }: Stats): string {
  return `${path} has ${nlink} hard links, and other users can create files in its directory: remove it, or choose another path`
}

function modeText({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

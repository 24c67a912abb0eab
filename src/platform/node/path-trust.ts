import type { Stats } from 'node:fs'
import { member, ownCopy } from '../../options/own-members.ts'

/** A file or directory that another user controls or can replace. */
export class UntrustedPathError extends Error {
  override readonly name = 'UntrustedPathError'
  readonly code = 'SLUICE_PATH_UNTRUSTED'
}

/** Which directories are accepted. */
export interface DirectoryRules {
  /** Only this process's user may own it and nobody else may write to it. Default: root may own it, and it may be sticky. */
  readonly isPrivate?: boolean
  /** The group may write to it. */
  readonly allowGroupWrite?: boolean
}

const stickyBit = 0o1000

/**
 * Returns why a directory must not be used, with what to do about it; undefined when it is safe. In a sticky directory of
 * this user or of root, other users can add names, but cannot rename or remove the ones of this user.
 */
export function directoryDistrust(path: string, stats: Stats, rules: DirectoryRules = {}): string | undefined {
  const { isPrivate = false, allowGroupWrite = false } = ownCopy(rules)
  const uid = effectiveUser()
  if (uid === undefined) return undefined
  if (stats.uid !== uid && (isPrivate || stats.uid !== 0)) {
    return `${path} belongs to user ${stats.uid} and this process runs as user ${uid}: choose another directory, or chown it`
  }
  const foreignWrite = allowGroupWrite ? 0o002 : 0o022
  const isSticky = !isPrivate && (stats.mode & stickyBit) !== 0
  if ((stats.mode & foreignWrite) === 0 || isSticky) return undefined
  return `other users can write to ${path} (mode ${modeText(stats)}): run chmod 700 on it, or choose another directory`
}

/** Returns why a file is not one that only this process's user has written; undefined when it is. */
export function fileDistrust(path: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return `${path} is not a regular file`
  if (!isOwn(stats)) return `${path} belongs to user ${stats.uid}`
  // A second name can be in a directory of another user, or be a file that was never meant for us.
  return stats.nlink > 1 ? `${path} has ${stats.nlink} names (hard links)` : undefined
}

/** A directory in which only this process's user and root can create names, or also others. */
interface NameDirectory {
  readonly isExclusive: boolean
}

/**
 * Returns why a symbolic link must not be followed, with what to do about it; undefined when it may be. Only this user or root
 * may have created it. A link with a second name can be one of theirs that another user has put here.
 */
export function linkDistrust(path: string, link: Stats, directory: NameDirectory): string | undefined {
  const isTrusted = isOwn(link) || link.uid === 0
  if ((isTrusted && link.nlink === 1) || directory.isExclusive) return undefined
  if (isTrusted) return namesOf(path, link)
  return `${path} is a symbolic link of user ${link.uid}: remove it, or choose another path`
}

/** Returns why a file must not be written to whose name another user may have created; undefined when it may be. */
export function nameDistrust(path: string, file: Stats, directory: NameDirectory): string | undefined {
  return file.isFile() && file.nlink > 1 && !directory.isExclusive ? namesOf(path, file) : undefined
}

/** Whether only this process's user and root can create names in a directory; false for an unknown one. */
export function isExclusive(directory: Stats | undefined): boolean {
  if (effectiveUser() === undefined) return true
  return directory !== undefined && (isOwn(directory) || directory.uid === 0) && (directory.mode & 0o022) === 0
}

/** Whether this process's user owns it; true where there are no users (Windows). */
export function isOwn({ uid }: Stats): boolean {
  return uid === (effectiveUser() ?? uid)
}

function effectiveUser(): number | undefined {
  return member(process, 'geteuid')?.()
}

function namesOf(path: string, { nlink }: Stats): string {
  return `${path} has ${nlink} names (hard links), and other users can create names in its directory: remove it, or choose another path`
}

function modeText({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

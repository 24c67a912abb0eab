import * as fs from 'node:fs'
import { openFlags } from './open-flags.ts'
import { reasonToDistrustOwnFile, UntrustedPathError } from './path-trust.ts'
import { addMembers } from '../../options/define-member.ts'

type FileCalls = Pick<typeof fs, 'openSync' | 'closeSync' | 'fstatSync' | 'lstatSync'>

/** An open file and its state when it was opened. */
export interface OpenFile {
  readonly fd: number
  readonly stats: fs.Stats
}

/**
 * Opens a regular file by its path without following a link in the last component, and without blocking on a named pipe. The
 * caller must check the directories above it; see `DirectoryHandle`.
 *
 * @param flags - Must not contain O_TRUNC, which takes effect before the file can be checked.
 * @param noFollow - O_NOFOLLOW if the system supports it. Without it (Windows) a link is detected after opening, so a missing
 *   target of a link can be created.
 * @throws The system's error; ELOOP or EMLINK for a link, EINVAL for anything else that is not a regular file.
 */
export function openRegularFile(
  files: FileCalls,
  path: string,
  flags: number,
  mode?: number,
  noFollow: number = openFlags.O_NOFOLLOW,
): OpenFile {
  const fd = files.openSync(path, flags | noFollow | openFlags.O_NONBLOCK | openFlags.O_NOCTTY, mode)
  try {
    const stats = files.fstatSync(fd)
    if (!stats.isFile()) throw failure('EINVAL', 'not a regular file')
    if (noFollow === 0 && !isSameFile(files.lstatSync(path), stats)) throw failure('ELOOP', 'a symbolic link')
    return { fd, stats }
  } catch (error) {
    files.closeSync(fd)
    throw error
  }
}

/**
 * Opens a regular file that belongs to this process's user and has no second hard link.
 *
 * @throws UntrustedPathError, or the system's error.
 */
export function openOwnFile(files: FileCalls, path: string, flags: number, mode?: number): OpenFile {
  const opened = openRegularFile(files, path, flags, mode)
  const reason = reasonToDistrustOwnFile(path, opened.stats)
  if (reason === undefined) return opened
  files.closeSync(opened.fd)
  throw new UntrustedPathError(reason)
}

/**
 * Reads the first `maxBytes` of a regular file as UTF-8, without following a link and without blocking on a pipe.
 *
 * @param check - May throw if the file's owner or mode is not acceptable.
 * @throws The system's error.
 */
export function readSmallFile(path: string, maxBytes: number, check?: (stats: fs.Stats) => void): string {
  const { fd, stats } = openRegularFile(fs, path, fs.constants.O_RDONLY)
  try {
    check?.(stats)
    const bytes = Buffer.alloc(maxBytes)
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, maxBytes, 0))
  } finally {
    fs.closeSync(fd)
  }
}

/**
 * Reads a regular file that the user has configured, as UTF-8. Links are followed, because Kubernetes mounts configuration as
 * links. The file is opened before it is checked, so it cannot be replaced between the check and the reading.
 *
 * @returns The content, or undefined for anything but a regular file of at most `maxBytes`.
 * @throws The system's error.
 */
export function readConfiguredFile(path: string, maxBytes: number): string | undefined {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | openFlags.O_NONBLOCK | openFlags.O_NOCTTY)
  try {
    const stats = fs.fstatSync(fd)
    if (!stats.isFile() || stats.size > maxBytes) return undefined
    // The file may grow after the check, so read one byte more than is allowed.
    const bytes = Buffer.alloc(maxBytes + 1)
    const length = fs.readSync(fd, bytes, 0, bytes.length, 0)
    return length > maxBytes ? undefined : bytes.toString('utf8', 0, length)
  } finally {
    fs.closeSync(fd)
  }
}

function isSameFile(a: fs.Stats, b: fs.Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}

function failure(code: string, message: string): Error {
  return addMembers(new Error(message), { code })
}

import { closeSync, lstatSync, openSync, unlinkSync } from 'node:fs'
import { readSmallFile } from '../../platform/node/regular-files.ts'
import { writeSync } from '../../platform/node/write-sync.ts'
import { errorCode } from '../fd/write-errors.ts'

/** The age after which a lock is stale, in ms. A lock is held for only a few system calls. */
const STALE_MILLIS = 5_000
/** How many bytes of a lock file are read. */
const MAX_ID_BYTES = 20

/**
 * A lock that lets one process at a time rotate a file: a file that contains the process's id, created with O_EXCL and removed
 * afterwards.
 *
 * It only prevents contention. If two processes rotate at the same time nothing is lost, but one file becomes two. So a lock
 * whose process no longer exists, or that is too old, is simply removed.
 */
export class RotationLock {
  private readonly now: () => number
  private observed: { readonly id: string; readonly since: number } | undefined

  /** @param now - Returns monotonic time in ms. */
  constructor(now: () => number) {
    this.now = now
  }

  /**
   * Acquires the lock without waiting. Returns false if another process holds it.
   *
   * @throws The system's error if the lock cannot be created.
   */
  take(path: string): boolean {
    if (this.create(path)) return true
    if (!this.isStale(path)) return false
    this.release(path)
    return this.create(path)
  }

  release(path: string): void {
    try {
      unlinkSync(path)
    } catch {
      // Another process found the lock stale and removed it.
    }
  }

  private create(path: string): boolean {
    let fd: number
    try {
      fd = openSync(path, 'wx', 0o644)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    }
    try {
      writeSync(fd, Buffer.from(`${process.pid}\n`))
    } catch {
      // The disk is full. The lock holds without the process id, until it is stale.
    } finally {
      closeSync(fd)
    }
    this.observed = undefined
    return true
  }

  private isStale(path: string): boolean {
    try {
      const stats = lstatSync(path)
      const id = `${stats.ino}:${stats.mtimeMs}`
      if (this.observed?.id !== id) this.observed = { id, since: this.now() }
      return this.now() - this.observed.since > STALE_MILLIS || isOwnerGone(path)
    } catch {
      return false
    }
  }
}

/** Returns whether the lock's process no longer exists. A lock that is not a file or has no process id becomes stale only by age. */
function isOwnerGone(path: string): boolean {
  try {
    const owner = Number.parseInt(readSmallFile(path, MAX_ID_BYTES), 10)
    return owner > 0 && !isAlive(owner)
  } catch {
    return false
  }
}

/** Returns whether a process exists on this machine. A process of another user counts as existing. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

import { closeSync, lstatSync, openSync, unlinkSync } from 'node:fs'
import { readSmallFile } from '../../platform/node/regular-files.ts'
import { writeSync } from '../../platform/node/write-sync.ts'
import { errorCode } from '../fd/write-errors.ts'

/** A lock that this process has found for longer than this, in ms, is stale. A lock is held for only a few system calls. */
const STALE_MILLIS = 5_000
/** How many bytes of a lock file are read: more than a process id has. */
const MAX_PID_BYTES = 20

/**
 * A lock that lets one process at a time rotate a file: a file that contains the process's id, created with O_EXCL and removed
 * afterwards.
 *
 * Nothing would be lost without the lock: two processes that rotate at the same time would rotate two files instead of one. So a
 * lock whose process no longer exists, or that is stale (`STALE_MILLIS`), is simply removed.
 */
export class RotationLock {
  private readonly now: () => number
  /** The lock of another process, and since when this process has found it, in ms of `now`. */
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
  tryAcquire(path: string): boolean {
    if (this.tryCreate(path)) return true
    if (!this.isStale(path)) return false
    this.release(path)
    return this.tryCreate(path)
  }

  release(path: string): void {
    try {
      unlinkSync(path)
    } catch {
      // Another process considered the lock stale and removed it.
    }
  }

  private tryCreate(path: string): boolean {
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
      // The disk is full. A lock without a process id is held until it is released or stale.
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

/** Returns whether the lock's process no longer exists. Returns false if the lock is not a file or contains no process id. */
function isOwnerGone(path: string): boolean {
  try {
    const pid = Number.parseInt(readSmallFile(path, MAX_PID_BYTES), 10)
    return pid > 0 && !processExists(pid)
  } catch {
    return false
  }
}

/** Returns whether a process exists on this machine. A process of another user counts as existing. */
export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

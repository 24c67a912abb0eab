import { closeSync, lstatSync, openSync, unlinkSync } from 'node:fs'
import { readSmallFile } from '../../platform/node/regular-files.ts'
import { writeSync } from '../../platform/node/write-sync.ts'
import { errorCode } from '../fd/write-errors.ts'

/** Nobody holds it for longer than some system calls: one that is there so long, in ms, was left behind. */
const STALE_MILLIS = 5_000
/** How much is read of a lock, in bytes. */
const longestId = 20

/**
 * Has one process at a time put a file aside: a file that holds the process's id, made with O_EXCL and removed again.
 *
 * It only keeps processes out of each other's way. Nothing is lost where two of them do it at once, but one file becomes
 * two; so a lock of a process that is gone, or that stays for too long, is taken away without much ado.
 */
export class RotationLock {
  private readonly now: () => number
  private seen: { readonly id: string; readonly since: number } | undefined

  /** @param now ms of a clock that does not jump. */
  constructor(now: () => number) {
    this.now = now
  }

  /**
   * Takes the lock, without waiting; false while somebody else has it.
   *
   * @throws the system's error when the lock cannot be made.
   */
  take(path: string): boolean {
    if (this.make(path)) return true
    if (!this.isStale(path)) return false
    this.release(path)
    return this.make(path)
  }

  release(path: string): void {
    try {
      unlinkSync(path)
    } catch {
      // taken away by somebody who found it stale
    }
  }

  private make(path: string): boolean {
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
      // a full disk: the lock holds without its owner's id, until it is too old
    } finally {
      closeSync(fd)
    }
    this.seen = undefined
    return true
  }

  private isStale(path: string): boolean {
    try {
      const stats = lstatSync(path)
      const id = `${stats.ino}:${stats.mtimeMs}`
      if (this.seen?.id !== id) this.seen = { id, since: this.now() }
      return this.now() - this.seen.since > STALE_MILLIS || isOwnerGone(path)
    } catch {
      return false
    }
  }
}

/** What is no file, or holds no process id, becomes stale by its age. */
function isOwnerGone(path: string): boolean {
  try {
    const owner = Number.parseInt(readSmallFile(path, longestId), 10)
    return owner > 0 && !isAlive(owner)
  } catch {
    return false
  }
}

/** Whether a process of this machine lives; one of another user does. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

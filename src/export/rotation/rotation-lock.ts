import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { errorCode } from '../write/write-errors.ts'

/** Nobody holds it for longer than some system calls: one that is there so long, in ms, was left behind. */
const STALE_MILLIS = 5_000

/**
 * Has one process at a time put a file aside: a file that holds the process's id, made with O_EXCL and removed again.
 *
 * It only keeps processes out of each other's way. Nothing is lost where two of them do it at once, but one file becomes
 * two; so a lock of a process that is gone, or that stays for too long, is taken away without much ado.
 */
export class RotationLock {
  private readonly path: string
  private readonly now: () => number
  private seen: { readonly id: string; readonly since: number } | undefined

  /** @param now ms of a clock that does not jump. */
  constructor(path: string, now: () => number) {
    this.path = path
    this.now = now
  }

  /**
   * Takes the lock, without waiting; false while somebody else has it.
   *
   * @throws the system's error when the lock cannot be made.
   */
  take(): boolean {
    if (this.make()) return true
    if (!this.isStale()) return false
    this.release()
    return this.make()
  }

  release(): void {
    try {
      unlinkSync(this.path)
    } catch {
      // taken away by somebody who found it stale
    }
  }

  private make(): boolean {
    let fd: number
    try {
      fd = openSync(this.path, 'wx', 0o644)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    }
    try {
      writeSync(fd, `${process.pid}\n`)
    } catch {
      // a full disk: the lock holds without its owner's id, until it is too old
    } finally {
      closeSync(fd)
    }
    this.seen = undefined
    return true
  }

  private isStale(): boolean {
    try {
      const { ino, mtimeMs } = statSync(this.path)
      const id = `${ino}:${mtimeMs}`
      if (this.seen?.id !== id) this.seen = { id, since: this.now() }
      const owner = Number.parseInt(readFileSync(this.path, 'latin1'), 10)
      return this.now() - this.seen.since > STALE_MILLIS || (owner > 0 && !isAlive(owner))
    } catch {
      return false
    }
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

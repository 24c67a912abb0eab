import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import { withoutPrototype } from '../../options/own-members.ts'

/** The minimum time between two checks, in ms. */
const MIN_MILLIS = 10

/**
 * Waits until a file is checked again: for a time, or until the system reports a change. Such reports may be missing (network
 * file systems, too many watches), so they only shorten the wait.
 */
export class WakeUp {
  isClosed = false
  private readonly watcher: FSWatcher | undefined
  private hasChanged = false
  /** Ends the wait after a time in ms. */
  private endWaitAfter: ((millis: number) => void) | undefined
  private waitStart = 0

  /** @param path - The file to watch; undefined to wait for the time only. */
  constructor(path: string | undefined) {
    this.watcher = path === undefined ? undefined : watchFile(path, () => this.notify())
  }

  /** Waits for a time in ms at most. Returns whether to continue, which is false after `close`. */
  async wait(millis: number): Promise<boolean> {
    if (this.isClosed) return false
    this.waitStart = performance.now()
    await new Promise<void>((resolve) => {
      // All files are checked at the same times, so that the process wakes up once for all of them.
      const untilNext = millis - (this.waitStart % millis)
      let timer = setTimeout(resolve, this.hasChanged ? MIN_MILLIS : Math.max(MIN_MILLIS, untilNext))
      this.endWaitAfter = (rest) => {
        clearTimeout(timer)
        timer = setTimeout(resolve, rest)
      }
    })
    this.endWaitAfter = undefined
    this.hasChanged = false
    return !this.isClosed
  }

  /** Ends the wait, and all later ones. */
  close(): void {
    this.isClosed = true
    this.watcher?.close()
    this.endWaitAfter?.(0)
  }

  private notify(): void {
    if (this.hasChanged) return
    this.hasChanged = true
    this.endWaitAfter?.(Math.max(0, this.waitStart + MIN_MILLIS - performance.now()))
  }
}

/** Watches the directory of a file, because a watch of the file ends when it is renamed. Returns undefined if that is not possible. */
function watchFile(path: string, onChange: () => void): FSWatcher | undefined {
  const name = basename(path)
  try {
    const watcher = watch(dirname(path), withoutPrototype({ persistent: false }), (_, changed) => {
      if (changed === null || changed === name) onChange()
    })
    // The directory was deleted, for example.
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}

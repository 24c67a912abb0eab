import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

/** The minimum time between two checks, in ms. */
const MIN_MILLIS = 10

/**
 * Waits until a file is checked again: for a time, or until the system reports a change. Such reports may be missing (network
 * file systems, too many watches), so they only shorten the wait.
 */
export class WakeUp {
  private readonly watcher: FSWatcher | undefined
  private hasChanged = false
  private wake: (() => void) | undefined
  isClosed = false

  /** @param path - The file to watch; undefined to wait for the time only. */
  constructor(path: string | undefined) {
    this.watcher = path === undefined ? undefined : watchFile(path, () => this.notify())
  }

  /** Ends the wait, or the next one if nothing waits. */
  notify(): void {
    this.hasChanged = true
    this.wake?.()
  }

  /** Waits for a time in ms at most. Returns whether to continue, which is false after `close`. */
  async wait(millis: number): Promise<boolean> {
    await this.pause(MIN_MILLIS, false)
    if (!this.hasChanged) await this.pause(millis - MIN_MILLIS, true)
    this.hasChanged = false
    return !this.isClosed
  }

  /** Ends the wait, and all later ones. */
  close(): void {
    this.isClosed = true
    this.watcher?.close()
    this.notify()
  }

  private async pause(millis: number, endsOnChange: boolean): Promise<void> {
    if (this.isClosed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, millis)
      this.wake = () => {
        if (!endsOnChange && !this.isClosed) return
        clearTimeout(timer)
        resolve()
      }
    })
    this.wake = undefined
  }
}

/** Watches the directory of a file, because a watch of the file ends when it is renamed. Returns undefined if that is not possible. */
function watchFile(path: string, onChange: () => void): FSWatcher | undefined {
  const name = basename(path)
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, changed) => {
      if (changed === null || changed === name) onChange()
    })
    // The directory was deleted, for example.
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}

import { closeSync, fstatSync, lstatSync, openSync, readdirSync, renameSync, unlinkSync, type Stats } from 'node:fs'
import { fileKeyOf, type Descriptor } from '../fd/descriptor.ts'
import { LogLocation } from '../file/log-path.ts'
import { isOwnRegularFile, RotatedNames } from './rotated-names.ts'
import { RotationLock } from './rotation-lock.ts'
import type { FileRotation } from './rotation-options.ts'
import { RotationPeriod } from './rotation-period.ts'
import { addMembers } from '../../options/define-member.ts'
import { errorCode } from '../fd/write-errors.ts'
import { ifExists } from '../../platform/node/file-options.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** The file of a rotation, and its options. */
export interface RotationSettings {
  /** The path of the file. */
  readonly path: string
  /** The options of the rotation. */
  readonly rotate: FileRotation
  /**
   * Opens the file at the path, or creates it.
   *
   * @throws The system's error.
   */
  readonly open: () => Descriptor
  /** Returns monotonic time in ms. */
  readonly now: () => number
  /** Returns the wall-clock time in ms since the Unix epoch. */
  readonly wallTime: () => number
  /** Called after a file was rotated. Must not throw. */
  readonly onRotated: () => void
}

/**
 * How far a file may grow over its maximum size while another process is about to rotate it, in bytes. The limit is necessary
 * because that process can be suspended while it holds the lock, and the others must not fill the disk.
 */
const SLACK_BYTES = 262_144

/**
 * Determines when a file is rotated, and rotates it: the open file is renamed, and a new one is created at its path. Nothing is
 * copied, so other processes and log shippers that have the file open continue with the same file.
 *
 * Invariant: a name is reserved (O_EXCL) before the rename, so no file is ever overwritten. If the new file cannot be opened after
 * the rename, the renamed file stays in use.
 */
export class Rotation {
  private readonly settings: RotationSettings
  private readonly maxBytes: number
  private readonly period: RotationPeriod | undefined
  /** The file for which `period` was begun. */
  private periodFile: Descriptor | undefined
  private readonly lock: RotationLock

  constructor(settings: RotationSettings) {
    const { size = Infinity, interval } = withoutPrototype(settings.rotate)
    this.settings = settings
    this.maxBytes = size
    this.lock = new RotationLock(settings.now)
    this.period = interval === undefined ? undefined : new RotationPeriod(interval)
  }

  /** Returns how many more bytes the file may receive, or -Infinity if its period is over. */
  remainingBytes(current: Descriptor, stats: Stats): number {
    const { period, maxBytes } = this
    if (period !== undefined) {
      const now = this.settings.wallTime()
      // The period of an existing file is that of its last record.
      if (current !== this.periodFile || stats.size === 0) period.begin(stats.size === 0 ? now : stats.mtimeMs)
      this.periodFile = current
      if (period.isOver(now)) return -Infinity
    }
    return maxBytes - stats.size
  }

  /** Returns how many bytes the file may receive while another process is about to rotate it. */
  remainingBytesAwaitingRotation(stats: Stats): number {
    return this.maxBytes + SLACK_BYTES - stats.size
  }

  /**
   * Rotates the file, unless another process has done so, and opens the next one. Returns undefined if another process is about to
   * rotate it and the next line still fits.
   *
   * @param neededBytes - The length of the next line in bytes.
   * @throws The system's error. The file then stays in use, under its old or its new name.
   */
  rotate(current: Descriptor, stats: Stats, neededBytes: number): Descriptor | undefined {
    const location = locate(this.settings.path)
    // Another process has just renamed the file.
    if (location === undefined) return this.settings.open()
    try {
      return this.rotateAt(location, current, stats, neededBytes)
    } finally {
      location.close()
    }
  }

  private rotateAt(
    location: LogLocation,
    current: Descriptor,
    stats: Stats,
    neededBytes: number,
  ): Descriptor | undefined {
    const { lock } = this
    const lockPath = location.directory.pathOf(`.${location.name}.rotation`)
    const isLocked = lock.tryAcquire(lockPath)
    if (!isLocked && this.remainingBytesAwaitingRotation(stats) >= neededBytes) return undefined
    try {
      const isRenamed = this.renameCurrent(location, current)
      const next = this.settings.open()
      if (isRenamed) this.settings.onRotated()
      return next
    } finally {
      if (isLocked) lock.release(lockPath)
    }
  }

  /** Renames the file. Returns false if another process has already renamed or deleted it. */
  private renameCurrent(location: LogLocation, current: Descriptor): boolean {
    const { directory, name } = location
    const rotatedName = this.reserveName(location, current)
    let isRenamed = false
    try {
      if (isAt(directory.pathOf(name), current)) {
        renameSync(directory.pathOf(name), directory.pathOf(rotatedName))
        isRenamed = true
      }
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    } finally {
      if (!isRenamed) removeReserved(directory.pathOf(rotatedName))
    }
    if (!isRenamed) return false
    // Without the lock, another process may have rotated between the check and the rename: it has renamed `current`, and the file that was
    // renamed here is the new one of that process. Rename it again, so that its name is later than the new name of `current`.
    if (!isAt(directory.pathOf(rotatedName), current))
      renameSync(directory.pathOf(rotatedName), directory.pathOf(this.reserveName(location, current)))
    return true
  }

  /**
   * Creates an empty file whose name sorts after those of all rotated files for which `isOwnRegularFile` is true, even if the clock was set
   * back. Returns its name.
   */
  private reserveName({ directory, name: base }: LogLocation, { fd }: Descriptor): string {
    const names = new RotatedNames(base)
    const { uid: logOwner } = fstatSync(fd)
    const { excludesOtherUsers } = directory
    const newest = names.parseAll(readdirSync(directory.pathOf('.'))).findLast(({ name }) => {
      const stats = lstatSync(directory.pathOf(name), ifExists)
      return stats !== undefined && isOwnRegularFile(stats, { logOwner, excludesOtherUsers })
    })
    for (let rotatedAt = Math.max(this.settings.wallTime(), (newest?.rotatedAt ?? -Infinity) + 1); ; rotatedAt++) {
      const name = names.nameFor(rotatedAt)
      try {
        closeSync(openSync(directory.pathOf(name), 'wx', 0o600))
        return name
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error
      }
    }
  }
}

/**
 * Returns the location of the file, or undefined if the file is missing. The caller closes it.
 *
 * @throws UntrustedPathError, the system's error, or EINVAL if the path ends with a link of procfs, which cannot be renamed.
 */
function locate(path: string): LogLocation | undefined {
  let location: LogLocation | undefined
  try {
    location = new LogLocation(path)
    if (location.isSystemLink) throw addMembers(new Error('not a path of a file'), { code: 'EINVAL' })
    lstatSync(location.directory.pathOf(location.name))
    return location
  } catch (error) {
    location?.close()
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Removes the empty file of a reserved name. Never throws: another process may have removed it, and an error of the rename matters
 * more.
 */
function removeReserved(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // If the file still exists, it is deleted with the old files if these are limited or compressed.
  }
}

/** Returns whether a path refers to the file of a descriptor. */
function isAt(path: string, { key }: Descriptor): boolean {
  const stats = lstatSync(path, ifExists)
  return stats !== undefined && fileKeyOf(stats) === key
}

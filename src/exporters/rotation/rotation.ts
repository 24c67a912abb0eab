import { closeSync, fstatSync, lstatSync, openSync, readdirSync, renameSync, unlinkSync, type Stats } from 'node:fs'
import { keyOf, type Descriptor } from '../fd/descriptor.ts'
import { LogLocation } from '../file/log-path.ts'
import { isOldFile, RotatedNames } from './rotated-names.ts'
import { RotationLock } from './rotation-lock.ts'
import type { FileRotation } from './rotation-options.ts'
import { RotationPeriod } from './rotation-period.ts'
import { addMembers } from '../../options/define-member.ts'
import { errorCode } from '../fd/write-errors.ts'
import { ifExists } from '../../platform/node/file-options.ts'
import { ownCopy } from '../../options/own-members.ts'

/** The file of a rotation, and its options. */
export interface RotationSettings {
  readonly path: string
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
  readonly wall: () => number
  /** Called after a file was rotated. Must not throw. */
  readonly turned: () => void
}

/**
 * How far a file may grow over its size while another process is about to rotate it, in bytes. If the process that holds the
 * lock is suspended, the others must not fill the disk.
 */
const SLACK = 262_144

/**
 * Determines when a file is rotated, and rotates it: the open file is renamed, and a new one is created at its path. Nothing is
 * copied, so other processes and log shippers that have the file open continue with the same file.
 *
 * Invariants: a name is reserved (O_EXCL) before the rename, so that no file is ever overwritten. Everything that could fail
 * (the name, a free descriptor) is acquired before the rename.
 */
export class Rotation {
  private readonly settings: RotationSettings
  private readonly size: number
  private readonly period: RotationPeriod | undefined
  /** The file that the current period belongs to. */
  private periodFile: Descriptor | undefined
  private readonly lock: RotationLock

  constructor(settings: RotationSettings) {
    const { size = Infinity, interval } = ownCopy(settings.rotate)
    this.settings = settings
    this.size = size
    this.lock = new RotationLock(settings.now)
    this.period = interval === undefined ? undefined : new RotationPeriod(interval)
  }

  /** Returns how many more bytes the file may receive, or -Infinity if its period is over. */
  room(current: Descriptor, stats: Stats): number {
    const { period, size } = this
    if (period !== undefined) {
      const now = this.settings.wall()
      if (current !== this.periodFile || stats.size === 0) period.begin(stats.size === 0 ? now : stats.mtimeMs)
      this.periodFile = current
      if (period.isOver(now)) return -Infinity
    }
    return size - stats.size
  }

  /** Returns how many bytes the file may receive while another process is about to rotate it. */
  slack(stats: Stats): number {
    return this.size + SLACK - stats.size
  }

  /**
   * Rotates the file, unless another process has, and opens the next one. Returns undefined while another process is about to.
   *
   * @param needed - The length of the next line in bytes.
   * @throws The system's error. The file then stays in use, under its old or its new name.
   */
  rotate(current: Descriptor, stats: Stats, needed: number): Descriptor | undefined {
    const place = locate(this.settings.path)
    // Another process has just renamed it.
    if (place === undefined) return this.settings.open()
    try {
      return this.rotateAt(place, current, stats, needed)
    } finally {
      place.close()
    }
  }

  private rotateAt(place: LogLocation, current: Descriptor, stats: Stats, needed: number): Descriptor | undefined {
    const { lock } = this
    const lockPath = place.directory.at(`.${place.name}.rotation`)
    const isLocked = lock.take(lockPath)
    if (!isLocked && this.slack(stats) >= needed) return undefined
    try {
      const isMoved = this.renameCurrent(place, current)
      const next = this.settings.open()
      if (isMoved) this.settings.turned()
      return next
    } finally {
      if (isLocked) lock.release(lockPath)
    }
  }

  private renameCurrent(place: LogLocation, current: Descriptor): boolean {
    const { directory, name } = place
    const rotatedName = this.reserve(place, current)
    try {
      const isCurrent = isAt(directory.at(name), current)
      if (isCurrent) renameSync(directory.at(name), directory.at(rotatedName))
      else unlinkSync(directory.at(rotatedName))
      if (!isCurrent) return false
    } catch (error) {
      unlinkSync(directory.at(rotatedName))
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
    // Without the lock, another process may have rotated first: then this is the new file that it created. Its name must be
    // later than that of the file before it.
    if (!isAt(directory.at(rotatedName), current))
      renameSync(directory.at(rotatedName), directory.at(this.reserve(place, current)))
    return true
  }

  /** Creates an empty file whose name sorts after all rotated files, even if the clock was set back. */
  private reserve({ directory, name: base }: LogLocation, { fd }: Descriptor): string {
    const names = new RotatedNames(base)
    const { uid } = fstatSync(fd)
    const newest = names.among(readdirSync(directory.at('.'))).findLast(({ name }) => {
      const stats = lstatSync(directory.at(name), ifExists)
      return stats !== undefined && isOldFile(stats, uid, directory.isExclusive)
    })
    for (let stamp = Math.max(this.settings.wall(), (newest?.stamp ?? -Infinity) + 1); ; stamp++) {
      const name = names.of(stamp)
      try {
        closeSync(openSync(directory.at(name), 'wx', 0o600))
        return name
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error
      }
    }
  }
}

/**
 * Returns the location of the file, or undefined if it is missing.
 *
 * @throws UntrustedPathError, or the system's error.
 */
function locate(path: string): LogLocation | undefined {
  let place: LogLocation | undefined
  try {
    place = new LogLocation(path)
    if (place.isSystemLink) throw addMembers(new Error('not a path of a file'), { code: 'EINVAL' })
    lstatSync(place.directory.at(place.name))
    return place
  } catch (error) {
    place?.close()
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function isAt(path: string, { key }: Descriptor): boolean {
  const stats = lstatSync(path, ifExists)
  return stats !== undefined && keyOf(stats) === key
}

import { closeSync, fstatSync, lstatSync, openSync, readdirSync, renameSync, unlinkSync, type Stats } from 'node:fs'
import { keyOf, type Descriptor } from '../fd/descriptor.ts'
import { LogPlace } from '../file/log-path.ts'
import { isOldFile, RotatedNames } from './rotated-names.ts'
import { RotationLock } from './rotation-lock.ts'
import type { FileRotation } from './rotation-options.ts'
import { RotationPeriod } from './rotation-period.ts'
import { addMembers } from '../../options/define-member.ts'
import { errorCode } from '../fd/write-errors.ts'
import { orNothing } from '../../platform/node/file-options.ts'
import { ownCopy } from '../../options/own-members.ts'

/** What rotation needs of its file. */
export interface RotationSettings {
  readonly path: string
  readonly rotate: FileRotation
  /** Opens the file of that path, or makes it. @throws the system's error. */
  readonly open: () => Descriptor
  /** Ms of a clock that does not jump. */
  readonly now: () => number
  /** Ms since the Unix epoch. */
  readonly wall: () => number
  /** Called when a file was put aside. Must not throw. */
  readonly turned: () => void
}

/**
 * By how much a file may grow past its size while another process is about to put it aside, in bytes: one that is kept from
 * running with the lock in its hand must not have the others fill the disk.
 */
const SLACK = 262_144

/**
 * When a file is put aside, and how: it is renamed while it is open, and a new one is made at its path. Nothing is copied, so
 * whoever still has it open, another process or a log shipper, goes on with the same file.
 *
 * Invariants: a name is reserved (O_EXCL) before the rename, so that no file is ever overwritten; and nothing is renamed
 * before all is there that could be missing: the name, a free descriptor.
 */
export class Rotation {
  private readonly settings: RotationSettings
  private readonly size: number
  private readonly period: RotationPeriod | undefined
  /** The file that the period is of. */
  private known: Descriptor | undefined
  private readonly lock: RotationLock

  constructor(settings: RotationSettings) {
    const { size = Infinity, interval } = ownCopy(settings.rotate)
    this.settings = settings
    this.size = size
    this.lock = new RotationLock(settings.now)
    this.period = interval === undefined ? undefined : new RotationPeriod(interval)
  }

  /** How many bytes the file may still take; none when its time is over. */
  room(current: Descriptor, stats: Stats): number {
    const { period, size } = this
    if (period !== undefined) {
      const now = this.settings.wall()
      if (current !== this.known || stats.size === 0) period.begin(stats.size === 0 ? now : stats.mtimeMs)
      this.known = current
      if (period.isOver(now)) return -Infinity
    }
    return size - stats.size
  }

  /** How many bytes the file may take while another process is about to put it aside. */
  slack(stats: Stats): number {
    return this.size + SLACK - stats.size
  }

  /**
   * Puts the file aside, unless another process has done that, and opens the next one. Returns undefined while another one
   * is about to.
   *
   * @param needed how long the next line is, in bytes.
   * @throws the system's error; the file is then used as before, under its old name or its new one.
   */
  turnOver(current: Descriptor, stats: Stats, needed: number): Descriptor | undefined {
    const place = placeOf(this.settings.path)
    // Another process has renamed it just now.
    if (place === undefined) return this.settings.open()
    try {
      return this.turnOverAt(place, current, stats, needed)
    } finally {
      place.close()
    }
  }

  private turnOverAt(place: LogPlace, current: Descriptor, stats: Stats, needed: number): Descriptor | undefined {
    const { lock } = this
    const lockPath = place.directory.at(`.${place.name}.rotation`)
    const isLocked = lock.take(lockPath)
    if (!isLocked && this.slack(stats) >= needed) return undefined
    try {
      const isMoved = this.putAside(place, current)
      const next = this.settings.open()
      if (isMoved) this.settings.turned()
      return next
    } finally {
      if (isLocked) lock.release(lockPath)
    }
  }

  private putAside(place: LogPlace, current: Descriptor): boolean {
    const { directory, name } = place
    const aside = this.reserve(place, current)
    try {
      const isOurs = isAt(directory.at(name), current)
      if (isOurs) renameSync(directory.at(name), directory.at(aside))
      else unlinkSync(directory.at(aside))
      if (!isOurs) return false
    } catch (error) {
      unlinkSync(directory.at(aside))
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
    // Without the lock: another process was faster, and this is the file that it has begun. It is later than the one before.
    if (!isAt(directory.at(aside), current)) renameSync(directory.at(aside), directory.at(this.reserve(place, current)))
    return true
  }

  /** Makes an empty file with a name that sorts behind all old ones, also where the clock was set back. */
  private reserve({ directory, name: base }: LogPlace, { fd }: Descriptor): string {
    const names = new RotatedNames(base)
    const { uid } = fstatSync(fd)
    const newest = names.among(readdirSync(directory.at('.'))).findLast(({ name }) => {
      const stats = lstatSync(directory.at(name), orNothing)
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
 * Returns where the file is; undefined if it is missing.
 *
 * @throws UntrustedPathError, or the system's error.
 */
function placeOf(path: string): LogPlace | undefined {
  let place: LogPlace | undefined
  try {
    place = new LogPlace(path)
    if (place.isSystemLink) throw addMembers(new Error('not the path of a file'), { code: 'EINVAL' })
    lstatSync(place.directory.at(place.name))
    return place
  } catch (error) {
    place?.close()
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function isAt(path: string, { key }: Descriptor): boolean {
  const stats = lstatSync(path, orNothing)
  return stats !== undefined && keyOf(stats) === key
}

import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { fileDistrust } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import { livenessFile, readLiveness, writeLiveness, type Reservation } from './alive-file.ts'
import type { BaseDirectory } from './base-directory.ts'
import { directoryMode, type SpoolFiles } from './files.ts'
import { reusableName, isFreeName, ownerName, parseOwnerName, parseSegmentName } from './names.ts'
import { hasEnded, thisProcess } from './process.ts'
import { ownCopy } from '../../options/own-members.ts'

/** The interval between two heartbeats of an owner, in ms. */
export const heartbeatMillis = 10_000
/** An owner without a heartbeat for this long, in ms, is considered dead. */
const deadMillis = 60_000

/** A directory whose owner no longer exists. */
export interface Orphan {
  readonly name: string
  readonly bytes: number
}

/** An open directory of this process. */
export interface OwnedDirectory {
  readonly name: string
  readonly directory: DirectoryHandle
}

/**
 * Ownership of spool directories. Each spool has its own directory, whose name identifies the owner: the name is the lock. A
 * name is never used twice, so claiming an orphaned directory, which means renaming it, succeeds for exactly one process.
 *
 * Whether an owner on this system is alive is determined by its process id and start time. Where these are not comparable (in
 * another container or on another machine), and for a thread that ended while its process continues, it is determined by a
 * heartbeat file that is written every 10 s and considered stale after 60 s. That can be wrong for an owner that was suspended,
 * so an owner checks after each write that its file is still in place.
 *
 * Directories of other users are ignored: only directories that this user owns and that no other user can write to are opened.
 */
export class SpoolOwner {
  readonly base: BaseDirectory
  private readonly files: SpoolFiles
  private current: OwnedDirectory | undefined
  private reservation: Reservation = { reserved: 0, wanted: 0 }
  /** Former directories, whose files may still be read. */
  private readonly former: DirectoryHandle[] = []

  constructor(files: SpoolFiles, base: BaseDirectory) {
    this.files = files
    this.base = base
  }

  /** Returns the owner's directory, which is created if it is missing. Throws the system's error. */
  own(): DirectoryHandle {
    if (this.current !== undefined) return this.current.directory
    const name = newName()
    this.files.mkdirSync(this.base.open().at(name), ownCopy({ mode: directoryMode }))
    this.current = { name, directory: this.base.openChild(name) }
    this.heartbeat()
    return this.current.directory
  }

  /** Writes a heartbeat. */
  heartbeat(): void {
    const { current, reservation } = this
    if (current !== undefined) ignoreErrors(() => writeLiveness(this.files, current.directory, reservation))
  }

  /** Reserves space in the shared directory. Throws the system's error. */
  reserve(reservation: Reservation): void {
    const own = this.own()
    this.reservation = reservation
    writeLiveness(this.files, own, reservation)
  }

  /** Returns the reservations of the other owners. Orphaned directories need at least the size of their files. */
  others(): Reservation[] {
    const names = this.files.readdirSync(this.base.open().at('.'))
    return names.flatMap((name) => {
      if (name === this.current?.name || !(isFreeName(name) || parseOwnerName(name) !== undefined)) return []
      const found = this.base.withChild(name, (directory) => {
        const { reserved, wanted } = isFreeName(name) ? noReservation : readLiveness(this.files, directory)
        return { reserved: Math.max(reserved, this.bytesIn(directory)), wanted }
      })
      return found === undefined ? [] : [found]
    })
  }

  /** Forgets the owner's directory after another process has removed it or taken it over. */
  forget(): void {
    if (this.current !== undefined) this.former.push(this.current.directory)
    this.current = undefined
  }

  /** Returns the directories without a living owner. Throws the system's error. */
  abandoned(): Orphan[] {
    const found: Orphan[] = []
    for (const name of this.files.readdirSync(this.base.open().at('.')).toSorted()) {
      if (name === this.current?.name || !this.mayBeAbandoned(name)) continue
      const bytes = this.base.withChild(name, (directory) =>
        this.isAbandoned(name, directory) ? this.bytesIn(directory) : undefined,
      )
      if (bytes !== undefined) found.push({ name, bytes })
    }
    return found
  }

  /** Claims an orphaned directory. Returns it, or undefined if another process was faster. */
  claim({ name }: Orphan): OwnedDirectory | undefined {
    const claimed = newName()
    const base = this.base.open()
    try {
      this.files.renameSync(base.at(name), base.at(claimed))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
    const directory = this.base.openChild(claimed)
    ignoreErrors(() => writeLiveness(this.files, directory, noReservation))
    return { name: claimed, directory }
  }

  /** Removes a claimed directory that has no segments left. If it contains other files, they and the directory remain. */
  remove({ name, directory }: OwnedDirectory): void {
    ignoreErrors(() => this.files.unlinkSync(directory.at(livenessFile)))
    directory.close()
    ignoreErrors(() => this.files.rmdirSync(this.base.open().at(name)))
  }

  /** Releases the owner's directory, so that any process may claim it. */
  release(): void {
    const { current } = this
    this.current = undefined
    for (const directory of this.former.splice(0)) directory.close()
    if (current !== undefined) this.releaseOne(current)
    this.base.close()
  }

  private releaseOne(owned: OwnedDirectory): void {
    if (undefinedIfThrows(() => this.bytesIn(owned.directory)) === 0) return this.remove(owned)
    owned.directory.close()
    ignoreErrors(() => {
      const base = this.base.open()
      this.files.renameSync(base.at(owned.name), base.at(reusableName(randomName())))
    })
  }

  /** Returns whether the name is that of an owner's or a free directory. */
  private mayBeAbandoned(name: string): boolean {
    return isFreeName(name) || parseOwnerName(name) !== undefined
  }

  private isAbandoned(name: string, directory: DirectoryHandle): boolean {
    if (isFreeName(name)) return true
    const owner = parseOwnerName(name)
    if (owner === undefined) return false
    if (owner.place === thisProcess().place && hasEnded(owner)) return true
    return this.silentMillis(directory) > deadMillis
  }

  /** Returns how long an owner has had no heartbeat, in ms, measured with the clock of the file system. */
  private silentMillis(directory: DirectoryHandle): number {
    const lastSeen = this.lastSeenAt(directory)
    if (lastSeen === undefined || !(Date.now() - lastSeen > deadMillis)) return 0
    // The disk may be on another machine with its own clock, so compare one of its times with another.
    const own = this.own()
    this.heartbeat()
    return (this.lastSeenAt(own) ?? lastSeen) - lastSeen
  }

  private lastSeenAt(directory: DirectoryHandle): number | undefined {
    for (const name of [livenessFile, '.']) {
      const stats = undefinedIfThrows(() => this.files.lstatSync(directory.at(name)))
      if (stats !== undefined) return stats.mtimeMs
    }
    return undefined
  }

  private bytesIn(directory: DirectoryHandle): number {
    return this.files
      .readdirSync(directory.at('.'))
      .filter((name) => parseSegmentName(name) !== undefined)
      .reduce((sum, name) => sum + this.sizeOf(directory, name), 0)
  }

  private sizeOf(directory: DirectoryHandle, name: string): number {
    const stats = undefinedIfThrows(() => this.files.lstatSync(directory.at(name)))
    return stats === undefined || fileDistrust(name, stats) !== undefined ? 0 : stats.size
  }
}

const noReservation: Reservation = { reserved: 0, wanted: 0 }

function newName(): string {
  return ownerName({ ...thisProcess(), unique: randomName() })
}

function randomName(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')
}

function ignoreErrors(action: () => void): void {
  undefinedIfThrows(action)
}

function undefinedIfThrows<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined // it is missing or not accessible; code that needs it reports that
  }
}

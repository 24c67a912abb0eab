import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { reasonToDistrustOwnFile } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import { livenessFileName, readLiveness, writeLiveness, type Reservation } from './alive-file.ts'
import type { BaseDirectory } from './base-directory.ts'
import { directoryMode, type SpoolFileSystem } from './files.ts'
import { releasedName, isReleasedName, ownerName, parseOwnerName, parseSegmentName } from './names.ts'
import { hasEnded, thisProcess } from './process.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** The interval between two heartbeats of an owner, in ms. */
export const heartbeatMillis = 10_000
/** An owner without a heartbeat for longer than this, in ms, is considered to have ended. */
const heartbeatTimeoutMillis = 60_000

/** A directory whose owner no longer exists. */
export interface Orphan {
  readonly name: string
  /** The total size of its segments. */
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
 * heartbeat file that is written every 10 s and considered stale after 60 s. An owner that was only suspended is then taken for
 * ended, so after each write to a segment `SpoolWriter` checks that another process has not moved or removed the segment.
 *
 * A directory of another user, or one that other users can write to, is reported and not used. `allowGroupWrite` accepts one
 * that its group can write to.
 */
export class SpoolOwner {
  readonly base: BaseDirectory
  private readonly files: SpoolFileSystem
  private current: OwnedDirectory | undefined
  /** What the last `reserve` call wrote. */
  private reservation: Reservation = { reservedBytes: 0, additionalBytesNeeded: 0 }
  /** Former directories, whose files may still be read. */
  private readonly former: DirectoryHandle[] = []

  constructor(files: SpoolFileSystem, base: BaseDirectory) {
    this.files = files
    this.base = base
  }

  /** Returns the owner's directory, which is created if it is missing. Throws the system's error. */
  ensureDirectory(): DirectoryHandle {
    if (this.current !== undefined) return this.current.directory
    const name = newOwnerName()
    this.files.mkdirSync(this.base.open().pathOf(name), withoutPrototype({ mode: directoryMode }))
    this.current = { name, directory: this.base.openChild(name) }
    this.heartbeat()
    return this.current.directory
  }

  /** Writes a heartbeat, if the owner has a directory. Never throws. */
  heartbeat(): void {
    const { current, reservation } = this
    if (current !== undefined) ignoreErrors(() => writeLiveness(this.files, current.directory, reservation))
  }

  /** Reserves space in the shared directory. Throws the system's error. */
  reserve(reservation: Reservation): void {
    const directory = this.ensureDirectory()
    this.reservation = reservation
    writeLiveness(this.files, directory, reservation)
  }

  /** Returns the reservations of the other directories. Each is at least the size of the files there. Throws the system's error. */
  otherReservations(): Reservation[] {
    const names = this.files.readdirSync(this.base.open().pathOf('.'))
    return names.flatMap((name) => {
      if (name === this.current?.name || !(isReleasedName(name) || parseOwnerName(name) !== undefined)) return []
      const reservation = this.base.withChild(name, (directory) => {
        const { reservedBytes, additionalBytesNeeded } = isReleasedName(name)
          ? noReservation
          : readLiveness(this.files, directory)
        return { reservedBytes: Math.max(reservedBytes, this.bytesIn(directory)), additionalBytesNeeded }
      })
      return reservation === undefined ? [] : [reservation]
    })
  }

  /** Stops using the owner's directory after another process has removed it or taken it over. */
  forget(): void {
    if (this.current !== undefined) this.former.push(this.current.directory)
    this.current = undefined
  }

  /** Returns the directories without a living owner. Throws the system's error. */
  findOrphans(): Orphan[] {
    const orphans: Orphan[] = []
    for (const name of this.files.readdirSync(this.base.open().pathOf('.')).toSorted()) {
      if (name === this.current?.name || !this.isOwnerOrReleasedName(name)) continue
      const bytes = this.base.withChild(name, (directory) =>
        this.isOrphaned(name, directory) ? this.bytesIn(directory) : undefined,
      )
      if (bytes !== undefined) orphans.push({ name, bytes })
    }
    return orphans
  }

  /** Claims an orphaned directory. Returns undefined if another process was faster. Throws the system's error. */
  claim({ name }: Orphan): OwnedDirectory | undefined {
    const newName = newOwnerName()
    const base = this.base.open()
    try {
      this.files.renameSync(base.pathOf(name), base.pathOf(newName))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
    const directory = this.base.openChild(newName)
    ignoreErrors(() => writeLiveness(this.files, directory, noReservation))
    return { name: newName, directory }
  }

  /** Closes a directory and removes it. If it contains files other than the liveness file, they and the directory remain. */
  remove({ name, directory }: OwnedDirectory): void {
    ignoreErrors(() => this.files.unlinkSync(directory.pathOf(livenessFileName)))
    directory.close()
    ignoreErrors(() => this.files.rmdirSync(this.base.open().pathOf(name)))
  }

  /** Releases the owner's directory: removes it if it has no segments, otherwise lets any process claim it. Never throws. */
  release(): void {
    const { current } = this
    this.current = undefined
    for (const directory of this.former.splice(0)) directory.close()
    if (current !== undefined) this.removeOrRelease(current)
    this.base.close()
  }

  private removeOrRelease(owned: OwnedDirectory): void {
    if (undefinedIfThrows(() => this.bytesIn(owned.directory)) === 0) return this.remove(owned)
    owned.directory.close()
    ignoreErrors(() => {
      const base = this.base.open()
      this.files.renameSync(base.pathOf(owned.name), base.pathOf(releasedName(newUniqueId())))
    })
  }

  /** Returns whether a name is that of an owner's directory or of a released one. */
  private isOwnerOrReleasedName(name: string): boolean {
    return isReleasedName(name) || parseOwnerName(name) !== undefined
  }

  private isOrphaned(name: string, directory: DirectoryHandle): boolean {
    if (isReleasedName(name)) return true
    const owner = parseOwnerName(name)
    if (owner === undefined) return false
    if (owner.systemId === thisProcess().systemId && hasEnded(owner)) return true
    return this.millisSinceHeartbeat(directory) > heartbeatTimeoutMillis
  }

  /**
   * Returns the time since an owner's last heartbeat, in ms. It is measured first with the local clock: if it does not exceed the
   * timeout, the result is 0; otherwise it is measured again, with the clock of the file system.
   */
  private millisSinceHeartbeat(directory: DirectoryHandle): number {
    const lastSeen = this.lastSeenAt(directory)
    if (lastSeen === undefined || !(Date.now() - lastSeen > heartbeatTimeoutMillis)) return 0
    // The file system may be on a machine with another clock, so compare with the time of a heartbeat that is written now.
    const ownDirectory = this.ensureDirectory()
    this.heartbeat()
    return (this.lastSeenAt(ownDirectory) ?? lastSeen) - lastSeen
  }

  /** Returns the time of the last heartbeat, or else of the last change in the directory, in ms since the epoch. */
  private lastSeenAt(directory: DirectoryHandle): number | undefined {
    for (const name of [livenessFileName, '.']) {
      const stats = undefinedIfThrows(() => this.files.lstatSync(directory.pathOf(name)))
      if (stats !== undefined) return stats.mtimeMs
    }
    return undefined
  }

  /** Returns the total size of the segments in a directory. */
  private bytesIn(directory: DirectoryHandle): number {
    return this.files
      .readdirSync(directory.pathOf('.'))
      .filter((name) => parseSegmentName(name) !== undefined)
      .reduce((sum, name) => sum + this.sizeOf(directory, name), 0)
  }

  /** Returns the size of a file; 0 if it is missing or another user may have written it, so that it is not read. */
  private sizeOf(directory: DirectoryHandle, name: string): number {
    const stats = undefinedIfThrows(() => this.files.lstatSync(directory.pathOf(name)))
    return stats === undefined || reasonToDistrustOwnFile(name, stats) !== undefined ? 0 : stats.size
  }
}

const noReservation: Reservation = { reservedBytes: 0, additionalBytesNeeded: 0 }

function newOwnerName(): string {
  return ownerName({ ...thisProcess(), uniqueId: newUniqueId() })
}

function newUniqueId(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')
}

function ignoreErrors(action: () => void): void {
  undefinedIfThrows(action)
}

function undefinedIfThrows<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined // a file is missing or not accessible, which code that needs the file reports
  }
}

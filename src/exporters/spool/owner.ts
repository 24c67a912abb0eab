import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { fileDistrust } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import { aliveFile, readAlive, writeAlive, type Reservation } from './alive-file.ts'
import type { BaseDirectory } from './base-directory.ts'
import { directoryMode, type SpoolFiles } from './files.ts'
import { freeName, isFreeName, ownerName, parseOwnerName, parseSegmentName } from './names.ts'
import { hasEnded, thisProcess } from './process.ts'
import { ownCopy } from '../../options/own-members.ts'

/** How often an owner shows that it is alive, in ms. */
export const beatMillis = 10_000
/** An owner that has shown nothing for so long, in ms, is taken for dead. */
const deadMillis = 60_000

/** A directory whose owner is gone. */
export interface Orphan {
  readonly name: string
  readonly bytes: number
}

/** A directory of this process, which is open. */
export interface Owned {
  readonly name: string
  readonly directory: DirectoryHandle
}

/**
 * Who may touch which files. Each spool has a directory of its own, whose name says whose it is: the name is the lock. It is
 * never made twice, so taking over an abandoned one, which is to rename it, succeeds for one process and no other.
 *
 * Whether an owner of this system lives its process id and start time tell. Where these mean nothing (a container, another
 * machine), and for a thread that ended in a process which goes on, the file that it writes every 10 s tells, after 60 s.
 * That may be wrong of an owner that stood still; so whoever writes looks afterwards whether the file is where it was.
 *
 * Directories of other users are no concern of it: only those that this user owns, and nobody else can write to, are opened.
 */
export class SpoolOwner {
  readonly base: BaseDirectory
  private readonly files: SpoolFiles
  private current: Owned | undefined
  private reservation: Reservation = { reserved: 0, wanted: 0 }
  /** Former directories, of which files may still be read. */
  private readonly former: DirectoryHandle[] = []

  constructor(files: SpoolFiles, base: BaseDirectory) {
    this.files = files
    this.base = base
  }

  /** Its own directory, made where it is missing. Throws what the system says. */
  own(): DirectoryHandle {
    if (this.current !== undefined) return this.current.directory
    const name = newName()
    this.files.mkdirSync(this.base.open().at(name), ownCopy({ mode: directoryMode }))
    this.current = { name, directory: this.base.openChild(name) }
    this.beat()
    return this.current.directory
  }

  /** Shows that it is alive. */
  beat(): void {
    const { current, reservation } = this
    if (current !== undefined) quietly(() => writeAlive(this.files, current.directory, reservation))
  }

  /** States what it needs of the space that all owners share. Throws what the system says. */
  reserve(reservation: Reservation): void {
    const own = this.own()
    this.reservation = reservation
    writeAlive(this.files, own, reservation)
  }

  /** What the other owners state about their space; what was left behind needs what it takes. */
  others(): Reservation[] {
    const names = this.files.readdirSync(this.base.open().at('.'))
    return names.flatMap((name) => {
      if (name === this.current?.name || !(isFreeName(name) || parseOwnerName(name) !== undefined)) return []
      const found = this.base.withChild(name, (directory) => {
        const { reserved, wanted } = isFreeName(name) ? nothing : readAlive(this.files, directory)
        return { reserved: Math.max(reserved, this.bytesIn(directory)), wanted }
      })
      return found === undefined ? [] : [found]
    })
  }

  /** Its directory is gone, removed or taken over: it has none. */
  forget(): void {
    if (this.current !== undefined) this.former.push(this.current.directory)
    this.current = undefined
  }

  /** The directories that nobody has. Throws what the system says. */
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

  /** Makes an abandoned directory this process's. Returns it; undefined when another one was faster. */
  claim({ name }: Orphan): Owned | undefined {
    const claimed = newName()
    const base = this.base.open()
    try {
      this.files.renameSync(base.at(name), base.at(claimed))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
    const directory = this.base.openChild(claimed)
    quietly(() => writeAlive(this.files, directory, nothing))
    return { name: claimed, directory }
  }

  /** Removes a directory of its own that has no segments any more. What it holds besides stays, and it too. */
  remove({ name, directory }: Owned): void {
    quietly(() => this.files.unlinkSync(directory.at(aliveFile)))
    directory.close()
    quietly(() => this.files.rmdirSync(this.base.open().at(name)))
  }

  /** It is done: its directory is anybody's. */
  release(): void {
    const { current } = this
    this.current = undefined
    for (const directory of this.former.splice(0)) directory.close()
    if (current !== undefined) this.releaseOne(current)
    this.base.close()
  }

  private releaseOne(owned: Owned): void {
    if (orUndefined(() => this.bytesIn(owned.directory)) === 0) return this.remove(owned)
    owned.directory.close()
    quietly(() => {
      const base = this.base.open()
      this.files.renameSync(base.at(owned.name), base.at(freeName(randomName())))
    })
  }

  /** Whether the name is one of these. */
  private mayBeAbandoned(name: string): boolean {
    return isFreeName(name) || parseOwnerName(name) !== undefined
  }

  private isAbandoned(name: string, directory: DirectoryHandle): boolean {
    if (isFreeName(name)) return true
    const owner = parseOwnerName(name)
    if (owner === undefined) return false
    if (owner.place === thisProcess().place && hasEnded(owner)) return true
    return this.silence(directory) > deadMillis
  }

  /** How long an owner has shown nothing, in ms, by the clock of the file system. */
  private silence(directory: DirectoryHandle): number {
    const shown = this.shownAt(directory)
    if (shown === undefined || !(Date.now() - shown > deadMillis)) return 0
    // The disk may be in another machine, with a clock of its own: one of its times is compared with another one.
    const own = this.own()
    this.beat()
    return (this.shownAt(own) ?? shown) - shown
  }

  private shownAt(directory: DirectoryHandle): number | undefined {
    for (const name of [aliveFile, '.']) {
      const stats = orUndefined(() => this.files.lstatSync(directory.at(name)))
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
    const stats = orUndefined(() => this.files.lstatSync(directory.at(name)))
    return stats === undefined || fileDistrust(name, stats) !== undefined ? 0 : stats.size
  }
}

const nothing: Reservation = { reserved: 0, wanted: 0 }

function newName(): string {
  return ownerName({ ...thisProcess(), unique: randomName() })
}

function randomName(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')
}

function quietly(action: () => void): void {
  orUndefined(action)
}

function orUndefined<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined // gone, or not to be touched: whoever needs it is told
  }
}

import { join } from 'node:path'
import { directoryMode, fileMode, type SpoolFiles } from './files.ts'
import { freeName, isFreeName, ownerName, parseOwnerName, parseSegmentName } from './names.ts'
import { hasEnded, thisProcess } from './process.ts'
import { errorCode } from '../write/write-errors.ts'
import { makeDirectory } from '../write/make-directory.ts'

/** How often an owner shows that it is alive, in ms. */
export const beatMillis = 10_000
/** An owner that has shown nothing for so long, in ms, is taken for dead. */
const deadMillis = 60_000
/** The file that an owner writes to show it. */
const aliveFile = 'alive'

/** A directory whose owner is gone. */
export interface Abandoned {
  readonly path: string
  readonly bytes: number
}

/**
 * Who may touch which files. Each spool has a directory of its own, whose name says whose it is: the name is the lock. It is
 * never made twice, so taking over an abandoned one, which is to rename it, succeeds for one process and no other.
 *
 * Whether an owner of this system lives its process id and start time tell. Where these mean nothing (a container, another
 * machine), and for a thread that ended in a process which goes on, the file that it writes every 10 s tells, after 60 s.
 * That may be wrong of an owner that stood still; so whoever writes looks afterwards whether the file is where it was.
 */
export class SpoolOwner {
  /** Of all owners. */
  readonly base: string
  /** Its own; undefined until it is needed. */
  path: string | undefined
  private readonly files: SpoolFiles

  constructor(files: SpoolFiles, base: string) {
    this.files = files
    this.base = base
  }

  /** Its own directory, made where it is missing. Throws what the system says. */
  own(): string {
    if (this.path !== undefined) return this.path
    const path = join(this.base, newName())
    makeDirectory(this.base, directoryMode, this.files)
    this.files.mkdirSync(path, { mode: directoryMode })
    this.path = path
    this.beat()
    return path
  }

  /** Shows that it is alive. */
  beat(): void {
    if (this.path !== undefined) this.touch(this.path)
  }

  /** Its directory is gone, removed or taken over: it has none. */
  forget(): void {
    this.path = undefined
  }

  /** The directories that nobody has. Throws what the system says. */
  abandoned(): Abandoned[] {
    const found: Abandoned[] = []
    for (const name of this.files.readdirSync(this.base).toSorted()) {
      const path = join(this.base, name)
      if (path !== this.path && this.isAbandoned(name, path)) found.push({ path, bytes: this.bytesIn(path) })
    }
    return found
  }

  /** Makes an abandoned directory this process's. Returns where it is now; undefined when another one was faster. */
  claim({ path }: Abandoned): string | undefined {
    const claimed = join(this.base, newName())
    try {
      this.files.renameSync(path, claimed)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
    this.touch(claimed)
    return claimed
  }

  /** Removes a directory of its own that has no segments any more. What it holds besides stays, and it too. */
  remove(path: string): void {
    quietly(() => this.files.unlinkSync(join(path, aliveFile)))
    quietly(() => this.files.rmdirSync(path))
    if (path === this.path) this.path = undefined
  }

  /** It is done: its directory is anybody's. */
  release(): void {
    const { path } = this
    if (path === undefined) return
    if (this.bytesIn(path) === 0) return this.remove(path)
    quietly(() => this.files.renameSync(path, join(this.base, freeName(randomName()))))
    this.path = undefined
  }

  private isAbandoned(name: string, path: string): boolean {
    if (isFreeName(name)) return true
    const owner = parseOwnerName(name)
    if (owner === undefined) return false
    if (owner.place === thisProcess().place && hasEnded(owner)) return true
    return this.silence(path) > deadMillis
  }

  /** How long an owner has shown nothing, in ms, by the clock of the file system. */
  private silence(path: string): number {
    const shown = this.shownAt(path)
    if (shown === undefined || !(Date.now() - shown > deadMillis)) return 0
    // The disk may be in another machine, with a clock of its own: one of its times is compared with another one.
    const own = this.own()
    this.beat()
    return (this.shownAt(own) ?? shown) - shown
  }

  private shownAt(path: string): number | undefined {
    for (const each of [join(path, aliveFile), path]) {
      const stat = orUndefined(() => this.files.statSync(each))
      if (stat !== undefined) return stat.mtimeMs
    }
    return undefined
  }

  private bytesIn(path: string): number {
    const names = orUndefined(() => this.files.readdirSync(path)) ?? []
    return names
      .filter((name) => parseSegmentName(name) !== undefined)
      .reduce((sum, name) => sum + (orUndefined(() => this.files.statSync(join(path, name)))?.size ?? 0), 0)
  }

  private touch(path: string): void {
    quietly(() => {
      const fd = this.files.openSync(join(path, aliveFile), 'w', fileMode)
      try {
        this.files.writeSync(fd, '\n')
      } finally {
        this.files.closeSync(fd)
      }
    })
  }
}

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

import { closeSync, existsSync, fstatSync, globSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { Arrivals, type ArrivalReport } from './arrivals.ts'
import { Lines } from './lines.ts'

const PART = 262_144

/** Reads a file as it grows, through renamings; what was read of a renamed file is deleted. */
export class FileFollower {
  private readonly arrivals = new Arrivals()
  private readonly buffer = Buffer.alloc(PART)
  private readonly path: string
  private readonly isRotated: boolean
  /** The files that are yet to be read, in order; the last one is what `path` means now. */
  private names: string[]
  private fd: number | undefined
  private lines = new Lines((line) => this.arrivals.line(line))
  private renamed = 0

  /** `isRotated`: whoever writes to it renames it; the names then sort by time. */
  constructor(path: string, isRotated = false) {
    this.path = path
    this.isRotated = isRotated
    this.names = [path]
  }

  /** Gives the file another name, as logrotate does. Whoever writes has to be told. */
  rename(): void {
    if (this.isRotated || !existsSync(this.path)) return
    const name = `${this.path}.${++this.renamed}`
    renameSync(this.path, name)
    this.names = [...this.names.slice(0, -1), name, this.path]
  }

  /** Reads what is there. */
  poll(): void {
    if (this.isRotated) this.names = [...this.oldNames(), this.path]
    // First this, then the older one's rest: whoever writes to a new file writes to no older one any more.
    while (this.names.slice(1).some((name) => sizeOf(name) > 0)) {
      this.read()
      this.leave()
    }
    this.read()
  }

  /** Reads the rest, when nobody writes any more. */
  end(): ArrivalReport {
    this.poll()
    while (this.names.length > 0) {
      this.read()
      this.leave()
    }
    return this.report()
  }

  report(): ArrivalReport {
    return this.arrivals.report()
  }

  /** An empty one is a name that is taken, and the file is still on its way to it. What is open is always the oldest. */
  private oldNames(): string[] {
    const all = globSync(`${this.path.slice(0, -'.log'.length)}.*Z.log`)
    return all.filter((name) => sizeOf(name) > 0).toSorted()
  }

  /** Whether a file that is to be read before was put aside the moment before this one was opened, which then is closed. */
  private isNewer(fd: number): boolean {
    const [oldest] = this.oldNames()
    if (oldest === undefined || statSync(oldest).ino === fstatSync(fd).ino) return false
    closeSync(fd)
    this.fd = undefined
    this.names = [...this.oldNames(), this.path]
    return true
  }

  /** Whether the file was given its other name the moment before it was to be opened. */
  private wasPutAside(): boolean {
    const old = this.isRotated ? this.oldNames() : []
    if (old.length === 0) return false
    this.names = [...old, this.path]
    return true
  }

  private read(): void {
    if (this.fd === undefined) {
      this.fd = opened(this.names[0]!)
      if (this.fd === undefined && !this.wasPutAside()) return
      if (this.fd === undefined || (this.isRotated && this.isNewer(this.fd))) return this.read()
    }
    for (let count; (count = readSync(this.fd, this.buffer, 0, PART, null)) > 0;) {
      this.lines.feed(this.buffer.subarray(0, count))
    }
  }

  /** Goes on to the next file. A line never goes on in another one. */
  private leave(): void {
    this.lines.end()
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
    rmSync(this.names.shift()!, { force: true })
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

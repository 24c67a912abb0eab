import { closeSync, existsSync, fstatSync, globSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { Arrivals, type ArrivalReport } from './arrivals.ts'
import { Lines } from './lines.ts'

const PART = 262_144

/** Reads a growing file across renames, and deletes renamed files that were read. */
export class FileFollower {
  private readonly arrivals = new Arrivals()
  private readonly buffer = Buffer.alloc(PART)
  private readonly path: string
  private readonly isRotated: boolean
  /** The files that are not completely read, in order. The last one is the current file. */
  private names: string[]
  private fd: number | undefined
  private lines = new Lines((line) => this.arrivals.line(line))
  private renamed = 0

  /** @param isRotated - whether the writer renames the file, to names that sort by time */
  constructor(path: string, isRotated = false) {
    this.path = path
    this.isRotated = isRotated
    this.names = [path]
  }

  /** Renames the file, as logrotate does. The writer has to reopen it. */
  rename(): void {
    if (this.isRotated || !existsSync(this.path)) return
    const name = `${this.path}.${++this.renamed}`
    renameSync(this.path, name)
    this.names = [...this.names.slice(0, -1), name, this.path]
  }

  /** Reads the available bytes. */
  poll(): void {
    if (this.isRotated) this.names = [...this.oldNames(), this.path]
    // Check the newer file first: once the writer uses it, the older file is complete.
    while (this.names.slice(1).some((name) => sizeOf(name) > 0)) {
      this.read()
      this.leave()
    }
    this.read()
  }

  /** Reads the rest after the writer has exited. */
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

  /** Returns the rotated files. An empty one only reserves its name. The open file is always the oldest. */
  private oldNames(): string[] {
    const all = globSync(`${this.path.slice(0, -'.log'.length)}.*Z.log`)
    return all.filter((name) => sizeOf(name) > 0).toSorted()
  }

  /** Returns whether an older file was rotated just before this one was opened. Then closes this one. */
  private isNewer(fd: number): boolean {
    const [oldest] = this.oldNames()
    if (oldest === undefined || statSync(oldest).ino === fstatSync(fd).ino) return false
    closeSync(fd)
    this.fd = undefined
    this.names = [...this.oldNames(), this.path]
    return true
  }

  /** Returns whether the file was rotated just before it was to be opened. */
  private wasRotated(): boolean {
    const old = this.isRotated ? this.oldNames() : []
    if (old.length === 0) return false
    this.names = [...old, this.path]
    return true
  }

  private read(): void {
    if (this.fd === undefined) {
      this.fd = opened(this.names[0]!)
      if (this.fd === undefined && !this.wasRotated()) return
      if (this.fd === undefined || (this.isRotated && this.isNewer(this.fd))) return this.read()
    }
    for (let count; (count = readSync(this.fd, this.buffer, 0, PART, null)) > 0;) {
      this.lines.feed(this.buffer.subarray(0, count))
    }
  }

  /** Closes and deletes the file. Lines never span two files. */
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

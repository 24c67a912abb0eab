import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { openForReading } from '../input/open-source.ts'
import type { RandomAccess } from './random-access.ts'

/**
 * Regular files that are read at any position, of which only the last ones used are open, so that a limit of descriptors does not limit
 * the number of files.
 */
export class FilePool {
  readonly #maxOpen: number
  /** The open files, the one that was used last at the end. */
  readonly #open = new Set<PooledFile>()

  constructor(maxOpen = 64) {
    this.#maxOpen = maxOpen
  }

  /** Adds a file. It is opened when it is read first. `stats` identify it: another file of that path is not read. */
  add(path: string, stats: Pick<Stats, 'dev' | 'ino'>): RandomAccess {
    return new PooledFile(path, stats, (file) => this.#use(file))
  }

  /** Closes all files. */
  close(): void {
    for (const file of this.#open) file.close()
    this.#open.clear()
  }

  #use(file: PooledFile): void {
    if (!this.#open.delete(file)) {
      if (this.#open.size >= this.#maxOpen) this.#closeOldest()
      this.#openFile(file)
    }
    this.#open.add(file)
  }

  #openFile(file: PooledFile): void {
    for (;;) {
      try {
        return file.open()
      } catch (error) {
        // The limit of the process, or of the system.
        const isLimited = ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')
        if (!isLimited || this.#open.size === 0) throw error
        this.#closeOldest()
      }
    }
  }

  #closeOldest(): void {
    const [oldest] = this.#open
    if (oldest === undefined) return
    oldest.close()
    this.#open.delete(oldest)
  }
}

class PooledFile implements RandomAccess {
  readonly #path: string
  readonly #stats: Pick<Stats, 'dev' | 'ino'>
  readonly #use: (file: PooledFile) => void
  #descriptor = -1

  constructor(path: string, stats: Pick<Stats, 'dev' | 'ino'>, use: (file: PooledFile) => void) {
    this.#path = path
    this.#stats = stats
    this.#use = use
  }

  read(into: Uint8Array, position: number): number {
    this.#use(this)
    let length = 0
    while (length < into.length) {
      const count = readSync(this.#descriptor, into, length, into.length - length, position + length)
      if (count === 0) break
      length += count
    }
    return length
  }

  open(): void {
    const descriptor = openForReading(this.#path)
    const { dev, ino } = fstatSync(descriptor)
    if (dev !== this.#stats.dev || ino !== this.#stats.ino) {
      closeSync(descriptor)
      throw new Error(`${this.#path} was replaced by another file while it was read`)
    }
    this.#descriptor = descriptor
  }

  close(): void {
    closeSync(this.#descriptor)
    this.#descriptor = -1
  }
}

import { closeSync, constants, mkdtempSync, openSync, readSync, rmdirSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFlags } from '../../platform/node/open-flags.ts'
import { writeSync } from '../../platform/node/write-sync.ts'
import { TemporaryFileError } from './temporary-file-error.ts'

/**
 * A file for data that does not fit into memory. Only this process can read it: it has the mode 0600, in a directory of mode 0700 with a
 * random name, and both are removed as soon as the file is open. The system frees its space when the process ends for any reason.
 * A system that does not remove open files keeps them until `close` is called or the process exits.
 */
export class TemporaryFile {
  readonly #folder: string
  readonly #descriptor: number
  #size = 0
  #isClosed = false
  /** The path of the file as long as it has one. */
  #path: string | undefined

  /**
   * @param folder - where the directory of the file is created
   * @throws TemporaryFileError if the file cannot be created
   */
  constructor(folder: string = tmpdir()) {
    this.#folder = folder
    try {
      const directory = mkdtempSync(join(folder, 'sluice-'))
      try {
        this.#path = join(directory, 'data')
        const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | openFlags.O_NOFOLLOW
        this.#descriptor = openSync(this.#path, flags, 0o600)
      } catch (error) {
        rmdirSync(directory)
        throw error
      }
    } catch (error) {
      throw new TemporaryFileError('create', folder, error)
    }
    this.#remove()
    if (this.#path !== undefined) process.once('exit', this.#closeAtExit)
  }

  /** The number of bytes that were appended. */
  get size(): number {
    return this.#size
  }

  /**
   * Appends bytes and returns the position of the first one.
   *
   * @throws TemporaryFileError if they cannot be written, for example because the disk is full
   */
  append(bytes: Uint8Array): number {
    const position = this.#size
    try {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#descriptor, bytes, written, bytes.length - written, position + written)
      }
    } catch (error) {
      throw new TemporaryFileError('write', this.#folder, error)
    }
    this.#size = position + bytes.length
    return position
  }

  /**
   * Reads bytes at a position into an array, and returns their number, which is smaller than its length only at the end of the file.
   *
   * @throws TemporaryFileError if they cannot be read
   */
  read(into: Uint8Array, position: number): number {
    let length = 0
    try {
      while (length < into.length) {
        const count = readSync(this.#descriptor, into, length, into.length - length, position + length)
        if (count === 0) break
        length += count
      }
    } catch (error) {
      throw new TemporaryFileError('read', this.#folder, error)
    }
    return length
  }

  /** Closes the file, which frees its space. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    closeSync(this.#descriptor)
    if (this.#path === undefined) return
    process.off('exit', this.#closeAtExit)
    this.#remove()
  }

  readonly #closeAtExit = (): void => this.close()

  #remove(): void {
    if (this.#path === undefined) return
    try {
      unlinkSync(this.#path)
      rmdirSync(join(this.#path, '..'))
      this.#path = undefined
    } catch {
      // Windows does not remove every open file; `close` tries again.
    }
  }
}

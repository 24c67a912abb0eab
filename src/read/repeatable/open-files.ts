import type { Stats } from 'node:fs'
import type { RandomAccess } from './random-access.ts'
import { FilePool } from './file-pool.ts'
import { TemporaryFile } from './temporary-file.ts'

/** The files and temporary files of one reading of several inputs, which are closed together. */
export class OpenFiles {
  readonly #folder: string | undefined
  readonly #pool = new FilePool()
  readonly #temporaryFiles: TemporaryFile[] = []
  #copies: TemporaryFile | undefined

  /** @param folder - where temporary files are created; by default that of the system */
  constructor(folder?: string) {
    this.#folder = folder
  }

  /** The temporary file to which inputs are copied, one after the other. */
  get copies(): TemporaryFile {
    this.#copies ??= this.openTemporaryFile()
    return this.#copies
  }

  openTemporaryFile(): TemporaryFile {
    const file = new TemporaryFile(this.#folder)
    this.#temporaryFiles.push(file)
    return file
  }

  /** Adds a regular file. */
  addFile(path: string, stats: Stats): RandomAccess {
    return this.#pool.add(path, stats)
  }

  close(): void {
    this.#pool.close()
    for (const file of this.#temporaryFiles) file.close()
  }
}

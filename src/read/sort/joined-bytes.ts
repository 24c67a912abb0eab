import type { RandomAccess } from '../repeatable/random-access.ts'
import type { TemporaryFile } from '../repeatable/temporary-file.ts'

const maxMemoryBytes = 1_048_576

/** Bytes of records that are not in one piece in their input. The first ones are in memory, the others in a temporary file. */
export class JoinedBytes implements RandomAccess {
  readonly #openFile: () => TemporaryFile
  #memory = Buffer.alloc(0)
  #memoryLength = 0
  #file: TemporaryFile | undefined

  /** @param openFile - creates the temporary file, once it is needed */
  constructor(openFile: () => TemporaryFile) {
    this.#openFile = openFile
  }

  /** The number of bytes that were appended. */
  get size(): number {
    return this.#memoryLength + (this.#file?.size ?? 0)
  }

  /** Appends bytes and returns the position of the first one. */
  append(bytes: Uint8Array): number {
    const end = this.#memoryLength + bytes.length
    if (this.#file !== undefined || end > maxMemoryBytes) {
      this.#file ??= this.#openFile()
      return this.#memoryLength + this.#file.append(bytes)
    }
    if (end > this.#memory.length) {
      this.#memory = Buffer.concat(
        [this.#memory.subarray(0, this.#memoryLength)],
        Math.max(end, 2 * this.#memory.length),
      )
    }
    this.#memory.set(bytes, this.#memoryLength)
    this.#memoryLength = end
    return end - bytes.length
  }

  read(into: Uint8Array, position: number): number {
    const inMemory = Math.max(0, Math.min(into.length, this.#memoryLength - position))
    into.set(this.#memory.subarray(position, position + inMemory))
    if (inMemory === into.length || this.#file === undefined) return inMemory
    return inMemory + this.#file.read(into.subarray(inMemory), position + inMemory - this.#memoryLength)
  }
}

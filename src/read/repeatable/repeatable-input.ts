import { statSync, type Stats } from 'node:fs'
import { withoutPrototype } from '../../options/own-members.ts'
import type { InputOptions, LineChunk } from '../input/line-chunk.ts'
import { readInput } from '../input/read-input.ts'
import { readLineChunks } from '../input/read-line-chunks.ts'
import { noBytes, type ByteRange, type RandomAccess } from './random-access.ts'
import { RangeSource } from './range-source.ts'
import type { OpenFiles } from './open-files.ts'

interface ReadOptions {
  readonly onInputError?: InputOptions['onInputError']
  readonly signal?: AbortSignal | undefined
  readonly chunkBytes?: number
  /** Whether the bytes of a chunk are not used any more when the next one is requested. */
  readonly reuseBuffer?: boolean
}

/**
 * An input that is read twice. Standard input and pipes are copied to a temporary file when they are read first. Files that are
 * compressed, or not in UTF-8, are decompressed again.
 */
export class RepeatableInput {
  /** The name of the file as it was given; `-` for standard input. */
  readonly file: string
  readonly #openFiles: OpenFiles
  #wasRead = false
  /** The bytes, if they can be read at any position. */
  #range: ByteRange | undefined

  constructor(file: string, openFiles: OpenFiles) {
    this.file = file
    this.#openFiles = openFiles
  }

  /** Whether the input is decompressed when it is read again. */
  get isDecompressed(): boolean {
    return this.#range === undefined
  }

  /** Reads the input, for the first time or again. Earlier reads must be complete. */
  read(options: ReadOptions): AsyncIterable<LineChunk> {
    if (this.#wasRead) return this.again(options)
    this.#wasRead = true
    const stats = regularFile(this.file)
    return stats === undefined ? this.#copy(options) : this.#readFile(stats, options)
  }

  /** Reads the bytes of the first time again. Problems were reported then. */
  again(readOptions: ReadOptions): AsyncIterable<LineChunk> {
    const { signal, chunkBytes, reuseBuffer = false } = withoutPrototype(readOptions)
    const range = this.#range
    const options = {
      onInputError: () => {},
      reuseBuffer,
      ...(chunkBytes !== undefined && { chunkBytes }),
      ...(signal !== undefined && { signal }),
    }
    if (range === undefined) return readLineChunks(this.file, options)
    const open = () => ({ source: new RangeSource(range), fileDescriptor: undefined, offset: 0 })
    return readInput(this.file, open, options)
  }

  /** Returns bytes that can be read at any position. Those of a compressed file are copied to the temporary file first. */
  async range(): Promise<ByteRange> {
    if (this.#range === undefined) for await (const _ of this.#copy({ onInputError: () => {} }));
    return this.#range!
  }

  async *#readFile(stats: Stats, options: ReadOptions): AsyncGenerator<LineChunk> {
    const bytes = this.#openFiles.addFile(this.file, stats)
    let isPlain: boolean | undefined
    let end = 0
    for await (const chunk of readLineChunks(this.file, firstOptions(options))) {
      isPlain ??= hasBytes(bytes, chunk)
      end = chunk.offset + chunk.bytes.length
      yield chunk
    }
    if (isPlain !== false) this.#range = { bytes, start: 0, end }
  }

  async *#copy(options: ReadOptions): AsyncGenerator<LineChunk> {
    this.#range = noBytes
    for await (const chunk of readLineChunks(this.file, firstOptions(options))) {
      // An input that cannot be read needs no file.
      if (chunk.bytes.length > 0) this.#append(chunk.bytes)
      yield chunk
    }
  }

  #append(bytes: Buffer): void {
    const { copies } = this.#openFiles
    const position = copies.append(bytes)
    const start = this.#range!.end === 0 ? position : this.#range!.start
    this.#range = { bytes: copies, start, end: copies.size }
  }
}

function firstOptions(options: ReadOptions): InputOptions {
  const { onInputError, signal, reuseBuffer = false } = withoutPrototype(options)
  return { reuseBuffer, ...(onInputError !== undefined && { onInputError }), ...(signal !== undefined && { signal }) }
}

/** Returns whether bytes of a file are those of a chunk, which they are not if it was decompressed or converted. */
function hasBytes(file: RandomAccess, { bytes, offset }: LineChunk): boolean {
  const same = Buffer.allocUnsafe(bytes.length)
  return file.read(same, offset) === bytes.length && same.equals(bytes)
}

/** Returns what identifies a regular file; undefined for standard input, a pipe, or a file that cannot be read, which is reported when it is read. */
function regularFile(file: string): Stats | undefined {
  if (file === '-') return undefined
  try {
    // Not opened, because that would release a writer that waits at a named pipe.
    const stats = statSync(file)
    return stats.isFile() ? stats : undefined
  } catch {
    return undefined
  }
}

import type { InputOptions, LineChunk } from './line-chunk.ts'
import { openSource } from './open-source.ts'
import { readInput } from './read-input.ts'

/**
 * Reads a file, a pipe, a device or standard input as chunks of whole lines, when they are requested. Content that is compressed
 * with gzip, zstd or brotli is decompressed, and UTF-16 with a byte order mark is converted to UTF-8.
 *
 * The last chunk has `isEnd` and can be empty. An input that cannot be read, or not to its end, is reported to
 * `options.onInputError`. `return()`, as at a `break`, closes the input, even while a chunk is awaited.
 *
 * @param file - A path; `-` is standard input, which can be read once and is empty after that.
 * @throws InputError if there is no `onInputError`.
 */
export function readLineChunks(file: string, options: InputOptions = {}): AsyncIterableIterator<LineChunk, undefined> {
  return readInput(file, () => openSource(file), options)
}

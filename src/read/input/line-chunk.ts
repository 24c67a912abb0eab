/** Bytes of an input, split at line ends. Only the last chunk of an input may end without a newline, and one of a line that is read in parts. */
export interface LineChunk {
  /** Whole lines with their newlines. With `reuseBuffer`, they are valid only until the next chunk is requested. */
  readonly bytes: Buffer
  /** The number of the first line in the input, from 1. NaN if it is unknown, because the lines before it were not read. */
  readonly firstLine: number
  /** The position of the first byte in the input, after decompression and conversion to UTF-8. */
  readonly offset: number
  /** Whether it is the last chunk of the input. Each input ends with such a chunk, which may be empty. */
  readonly isEnd: boolean
  /** True if the first bytes continue the line with which the chunk before ended without a newline. */
  readonly continuesLine?: boolean
}

/** Options of reading an input. */
export interface InputOptions {
  /**
   * Called with a sentence about an input that cannot be read, or only in part. It is called after the lines that could be read
   * were returned, and reading then ends.
   *
   * @defaultValue an `InputError` is thrown
   */
  readonly onInputError?: (file: string, message: string) => void
  /**
   * Whether all chunks share one buffer. Set it if nothing refers to the bytes of a chunk when the next one is requested.
   *
   * @defaultValue false
   */
  readonly reuseBuffer?: boolean
  /**
   * The length of a chunk in bytes. A chunk is longer if a line is.
   *
   * @defaultValue 1 MiB
   */
  readonly chunkBytes?: number
  /**
   * The maximum length of a line in bytes. A longer line is returned in several chunks.
   *
   * @defaultValue 256 MiB
   */
  readonly maxLineBytes?: number
  /**
   * Whether lines are counted. Without it, `firstLine` is NaN.
   *
   * @defaultValue true
   */
  readonly countLines?: boolean
  /** Ends the input when it is aborted. */
  readonly signal?: AbortSignal
}

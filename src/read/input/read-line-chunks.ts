import { fstatSync } from 'node:fs'
import { addMembers } from '../../options/define-member.ts'
import type { ByteSource } from './byte-source.ts'
import { inputProblem } from './input-problem.ts'
import { LineBuffer } from './line-buffer.ts'
import { InputError, type InputOptions, type LineChunk } from './line-chunk.ts'
import { openSource, type OpenSource } from './open-source.ts'
import { countLines } from './count-lines.ts'
import { textSource } from './text-source.ts'

const CHUNK_BYTES = 1_048_576
const MAX_LINE_BYTES = 256 * 1_048_576
/** How many bytes are read before other work of the process runs. */
const BYTES_PER_TURN = 8 * 1_048_576

/**
 * Reads a file, a pipe, a device or standard input as chunks of whole lines, when they are requested. Content that is compressed
 * with gzip, zstd or brotli is decompressed, and UTF-16 with a byte order mark is converted to UTF-8.
 *
 * The last chunk has `isEnd` and can be empty. An input that cannot be read, or not to its end, is reported to
 * `options.onProblem`. `return()`, as at a `break`, closes the input, even while a chunk is awaited.
 *
 * @param file - A path; `-` is standard input, which can be read once and is empty after that.
 * @throws InputError if there is no `onProblem`.
 */
export function readLineChunks(file: string, options: InputOptions = {}): AsyncIterableIterator<LineChunk, undefined> {
  return readInput(file, () => openSource(file), options)
}

/** An opened input, and where reading starts in it. */
export type StartedSource = OpenSource & {
  /** The offset of the first byte; undefined to start at the start and determine compression and encoding. */
  readonly offset?: number
}

/** Reads an input as `readLineChunks` does, from the source that `open` returns when the first chunk is requested. */
export function readInput(
  file: string,
  open: () => StartedSource | Promise<StartedSource>,
  options: InputOptions,
): AsyncIterableIterator<LineChunk, undefined> {
  const input: InputState = { isClosed: false, source: undefined }
  const close = (): void => {
    input.isClosed = true
    input.source?.close()
  }
  const chunks = chunksOf(file, open, options, input)
  options.signal?.addEventListener('abort', close, { once: true })
  if (options.signal?.aborted === true) close()
  return {
    next: () => chunks.next(),
    return() {
      close()
      return chunks.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

interface InputState {
  isClosed: boolean
  source: ByteSource | undefined
}

async function* chunksOf(
  file: string,
  open: () => StartedSource | Promise<StartedSource>,
  options: InputOptions,
  input: InputState,
): AsyncGenerator<LineChunk, undefined> {
  const { onProblem, chunkBytes = CHUNK_BYTES, maxLineBytes = MAX_LINE_BYTES } = options
  const counter = new ChunkCounter(options.countLines ?? true)
  let failure: unknown
  let hasBegun = false
  try {
    if (input.isClosed) return
    const opened = await open()
    input.source = opened.source
    const isStarted = opened.offset !== undefined
    const text = isStarted ? undefined : await textSource(file, opened.source)
    const { source, offset, isPlain } = text ?? { ...opened, isPlain: true }
    input.source = source
    if (input.isClosed) source.close()
    hasBegun = true
    counter.start(offset ?? 0, isStarted && opened.offset > 0)

    const buffer = new LineBuffer(chunkBytes, options.reuseBuffer ?? false)
    let bytesInTurn = 0
    try {
      for (;;) {
        buffer.makeRoom()
        const read = source.read(buffer.bytes, buffer.end)
        const count = typeof read === 'number' ? read : await read
        if (count === 0) break
        buffer.end += count
        const lines = buffer.takeLines() ?? (buffer.length < maxLineBytes ? undefined : buffer.takeAll())
        if (lines !== undefined) yield counter.next(lines, false)
        bytesInTurn = typeof read === 'number' ? bytesInTurn + count : 0
        if (bytesInTurn >= BYTES_PER_TURN) {
          bytesInTurn = 0
          await nextTurn()
        }
      }
      if (isPlain) throwIfTruncated(opened.fileDescriptor, counter.offset + buffer.length)
    } catch (error) {
      failure = error
    }
    yield counter.next(buffer.takeAll(), true)
  } catch (error) {
    failure = error
  } finally {
    input.source?.close()
  }
  if (failure === undefined || input.isClosed) return
  const message = inputProblem(failure, hasBegun)
  if (onProblem === undefined) throw new InputError(file, message)
  onProblem(file, message)
}

/** Numbers the lines and bytes of the chunks of one input. */
class ChunkCounter {
  offset = 0
  private readonly countsLines: boolean
  private line = 1
  private isInsideLine = false

  constructor(countsLines: boolean) {
    this.countsLines = countsLines
    if (!countsLines) this.line = NaN
  }

  /** @param isLater - Whether lines before `offset` are not read. */
  start(offset: number, isLater: boolean): void {
    this.offset = offset
    if (isLater) this.line = NaN
  }

  next(bytes: Buffer, isEnd: boolean): LineChunk {
    const chunk = {
      bytes,
      firstLine: this.line,
      offset: this.offset,
      isEnd,
      ...(this.isInsideLine ? { continuesLine: true } : undefined),
    }
    this.offset += bytes.length
    if (bytes.length > 0) this.isInsideLine = bytes.at(-1) !== 10
    if (this.countsLines && !Number.isNaN(this.line)) this.line += countLines(bytes)
    return chunk
  }
}

/** Throws if a regular file is shorter than what was read of it. */
function throwIfTruncated(fd: number | undefined, offset: number): void {
  if (fd === undefined) return
  const { size } = fstatSync(fd)
  // Files of /proc have the size 0.
  if (size < offset && size > 0) throw addMembers(new Error('truncated'), { code: 'SLUICE_FILE_TRUNCATED' })
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

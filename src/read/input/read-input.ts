import { fstatSync } from 'node:fs'
import { addMembers } from '../../options/define-member.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import type { ByteSource } from './byte-source.ts'
import { ChunkCounter } from './chunk-counter.ts'
import { inputProblem } from './input-problem.ts'
import { LineBuffer } from './line-buffer.ts'
import { InputError } from './input-error.ts'
import type { InputOptions, LineChunk } from './line-chunk.ts'
import type { LineRing } from './line-ring.ts'
import type { OpenSource } from './open-source.ts'
import { textSource } from './text-source.ts'

const CHUNK_BYTES = 1_048_576
const MAX_LINE_BYTES = 256 * 1_048_576
/** How many bytes are read before other work of the process runs. */
const BYTES_PER_TURN = 8 * 1_048_576

/** An opened input, and where reading starts in it. */
export type StartedSource = OpenSource & {
  /** The offset of the first byte; undefined to start at the start and determine compression and encoding. */
  readonly offset?: number
  /** Where the lines are put if only the last ones are returned. */
  readonly lastLines?: LineRing
}

/** Reads an input as `readLineChunks` does, from the source that `open` returns when the first chunk is requested. */
export function readInput(
  file: string,
  open: () => StartedSource | Promise<StartedSource>,
  options: InputOptions,
): AsyncIterableIterator<LineChunk, undefined> {
  const input = new Input()
  const chunks = reportedChunks(file, open, withoutPrototype(options), input)
  return {
    next: () => chunks.next(),
    return() {
      input.close()
      return chunks.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The source of an input, which can be closed before and after it is open. */
class Input {
  isClosed = false
  /** Whether the first bytes were read. */
  hasBegun = false
  private source: ByteSource | undefined

  use(source: ByteSource): void {
    this.source = source
    if (this.isClosed) source.close()
  }

  readonly close = (): void => {
    this.isClosed = true
    this.source?.close()
  }
}

/** Returns the chunks of an input, and reports an error once all chunks before it were returned. */
async function* reportedChunks(
  file: string,
  open: () => StartedSource | Promise<StartedSource>,
  options: InputOptions,
  input: Input,
): AsyncGenerator<LineChunk, undefined> {
  const { signal, onInputError } = options
  signal?.addEventListener('abort', input.close)
  try {
    if (signal?.aborted === true || input.isClosed) return
    const opened = await open()
    input.use(opened.source)
    yield* chunksOf(file, opened, options, input)
  } catch (error) {
    if (input.isClosed) return
    const message = inputProblem(error, input.hasBegun)
    if (onInputError === undefined) throw new InputError(file, message)
    onInputError(file, message)
  } finally {
    signal?.removeEventListener('abort', input.close)
    input.close()
  }
}

async function* chunksOf(
  file: string,
  opened: StartedSource,
  options: InputOptions,
  input: Input,
): AsyncGenerator<LineChunk, undefined> {
  const { fileDescriptor, lastLines, offset: startOffset } = withoutPrototype(opened)
  const initialSize = fileDescriptor === undefined ? 0 : fstatSync(fileDescriptor).size
  const text = startOffset === undefined ? await textSource(file, opened.source) : undefined
  const { source, isPlain } = text ?? { source: opened.source, isPlain: true }
  input.use(source)
  input.hasBegun = true

  const isNumbered = (options.countLines ?? true) && (startOffset ?? 0) === 0
  const counter = new ChunkCounter(startOffset ?? 0, isNumbered)
  const { chunkBytes = CHUNK_BYTES, maxLineBytes = MAX_LINE_BYTES, reuseBuffer = false } = options
  const buffer = new LineBuffer(chunkBytes, reuseBuffer && lastLines === undefined)
  let failure: { readonly error: unknown } | undefined
  let bytesInTurn = 0
  try {
    for (;;) {
      buffer.makeRoom()
      const read = source.read(buffer.bytes, buffer.end)
      const count = typeof read === 'number' ? read : await read
      if (count === 0) break
      buffer.end += count
      const lines = buffer.takeLines() ?? (buffer.length < maxLineBytes ? undefined : buffer.takeAll())
      if (lines !== undefined) {
        const chunk = counter.next(lines, false)
        if (lastLines === undefined) yield chunk
        else lastLines.add(chunk)
      }
      bytesInTurn = typeof read === 'number' ? bytesInTurn + count : 0
      if (bytesInTurn >= BYTES_PER_TURN) {
        bytesInTurn = 0
        await nextTurn()
      }
    }
    const isShorter = isPlain && initialSize > 0 && !input.isClosed && isShorterThan(fileDescriptor!, counter.offset)
    if (isShorter) throw addMembers(new Error('it was truncated while it was read'), { code: 'SLUICE_FILE_TRUNCATED' })
  } catch (error) {
    failure = { error }
  }
  const last = counter.next(buffer.takeAll(), true)
  if (lastLines === undefined) yield last
  else yield* lastLines.takeWith(last)
  if (failure !== undefined) throw failure.error
}

function isShorterThan(fd: number, bytes: number): boolean {
  return fstatSync(fd).size < bytes
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

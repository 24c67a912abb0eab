import { readLineChunks } from '../../read/input/read-line-chunks.ts'
import type { LineChunk } from '../../read/input/line-chunk.ts'
import type { NeededRecords } from '../../read/lines/line-filter.ts'
import { RecordReader } from '../../read/lines/record-reader.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { ReadingOptions } from '../read-options.ts'

/** After so many milliseconds without input, held-back records are shown, although more lines could belong to them. */
const quietMillis = 100

/** The files to read, the sink of their records, and the callbacks of reading. */
export interface FileReading extends ReadingOptions {
  readonly sink: RecordSink
  /** Which records the sink needs; undefined for all. */
  readonly needed: NeededRecords | undefined
  /** Whether the sink keeps records after `flush`. */
  readonly keepsRecords: boolean
  /** Called after each chunk. */
  readonly flush: () => void
  /** Called after the last chunk of a file that is not merged with others. */
  readonly onFileEnd: () => void
  /** Called when an input is quiet, after `flush`. */
  readonly onQuiet: () => void
  /** Returns whether nothing more has to be read. */
  readonly isDone: () => boolean
  /** Called with a sentence about a file that cannot be read, or only in part. */
  readonly onInputError: (file: string, message: string) => void
}

/** Reads all files, one after the other. */
export async function readFiles(reading: FileReading): Promise<void> {
  for (const file of reading.files) {
    if (reading.isDone()) return
    await readFile(file, reading)
  }
}

/** Creates the reader of a file. */
export function newReader(
  file: string,
  { input, fieldNames, needed }: Pick<FileReading, 'input' | 'fieldNames' | 'needed'>,
  sink: RecordSink,
  reuseBuffer = false,
): RecordReader {
  return new RecordReader({
    file,
    sink,
    needed,
    reuseBuffer,
    ...(input !== undefined && { input }),
    ...(fieldNames !== undefined && { fieldNames }),
  })
}

async function readFile(file: string, reading: FileReading): Promise<void> {
  const { sink, flush, onFileEnd, onQuiet, isDone, onInputError, keepsRecords } = reading
  const reuseBuffer = !keepsRecords
  const reader = newReader(file, reading, sink, reuseBuffer)
  const release = (): void => {
    reader.flush()
    flush()
  }
  const chunks = withQuietTimer(readLineChunks(file, { onInputError, reuseBuffer, countLines: false }), () => {
    release()
    onQuiet()
  })
  for await (const chunk of chunks) {
    reader.read(chunk)
    flush()
    if (isDone()) break
  }
  release()
  onFileEnd()
}

/** Yields chunks, and calls a function when the next chunk takes long. */
async function* withQuietTimer(
  chunks: AsyncIterable<LineChunk>,
  onQuiet: () => void,
): AsyncGenerator<LineChunk, undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    for await (const chunk of chunks) {
      clearTimeout(timer)
      yield chunk
      timer = setTimeout(onQuiet, quietMillis)
    }
  } finally {
    clearTimeout(timer)
  }
  return undefined
}

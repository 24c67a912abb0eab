import { readLineChunks } from '../../read/input/read-line-chunks.ts'
import type { LineChunk } from '../../read/input/line-chunk.ts'
import type { ReadingOptions } from '../read-options.ts'
import { RecordReader } from '../../read/lines/record-reader.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'

/** Milliseconds after which what is held back is shown although more lines could belong to it, because the input is quiet. */
const quietMillis = 100

/** What reading needs from its caller. */
export interface FileReading extends ReadingOptions {
  readonly sink: RecordSink
  /** Called after each chunk. */
  readonly flush: () => void
  /** Called when an input is quiet, after `flush`. */
  readonly onQuiet: () => void
  /** Returns whether nothing more has to be read. */
  readonly isDone: () => boolean
  /** Called with a sentence about a file that cannot be read, or only in part. */
  readonly onProblem: (file: string, message: string) => void
}

/** Reads all files, one after the other. */
export async function readFiles(reading: FileReading): Promise<void> {
  for (const file of reading.files) {
    if (reading.isDone()) return
    await readFile(file, reading)
  }
}

async function readFile(file: string, reading: FileReading): Promise<void> {
  const { input, fieldNames, sink, flush, onQuiet, isDone, onProblem } = reading
  const reader = new RecordReader({
    file,
    sink,
    ...(input !== undefined && { input }),
    ...(fieldNames !== undefined && { fieldNames }),
  })
  const release = (): void => {
    reader.flush()
    flush()
  }
  for await (const chunk of withQuietTimer(readLineChunks(file, { onProblem }), () => {
    release()
    onQuiet()
  })) {
    reader.read(chunk)
    flush()
    if (isDone()) break
  }
  release()
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

import { oneLine } from '../../options/one-line.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { readLineChunks } from '../../read/input/read-line-chunks.ts'
import type { LineChunk } from '../../read/input/line-chunk.ts'
import { RecordReader } from '../../read/lines/record-reader.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { FormatName } from '../../read/record.ts'

/** How a command that prints a report reads its files. */
export interface FileRecordsOptions {
  readonly input?: FormatName | undefined
  readonly fieldNames?: ReadonlyMap<string, string> | undefined
  /** Called with the reason, without the name of the file, if the file cannot be read to its end. */
  readonly onUnreadable: (message: string) => void
  /** Called with each chunk before its records are read. */
  readonly onChunk?: (chunk: LineChunk) => void
  /** Called when the records of a chunk were read, while the bytes of the chunk are still valid. */
  readonly onRead?: () => void
}

/** Reads all records of a file. The sink must copy the bytes that it keeps. */
export async function readFileRecords(file: string, sink: RecordSink, options: FileRecordsOptions): Promise<void> {
  const { input, fieldNames, onUnreadable, onChunk, onRead } = withoutPrototype(options)
  const reader = new RecordReader({
    file,
    sink,
    reuseBuffer: true,
    ...(input !== undefined && { input }),
    ...(fieldNames !== undefined && { fieldNames }),
  })
  const chunks = readLineChunks(file, {
    reuseBuffer: true,
    onInputError: (_file, message) => onUnreadable(oneLine(message)),
  })
  for await (const chunk of chunks) {
    onChunk?.(chunk)
    reader.read(chunk)
    onRead?.()
  }
  reader.flush()
  onRead?.()
}

import type { LineChunk } from '../../read/input/line-chunk.ts'
import { readEnd } from '../../read/input/read-end.ts'
import { endOfLine, isPlainJson } from '../../read/lines/plain-json-line.ts'
import type { LastItems } from './last-items.ts'
import { newReader, type FileReading } from './read-files.ts'

const firstBytes = 1_048_576
/** If so many bytes do not have enough records, the file is read from its start. */
const maxBytes = 8 * firstBytes

/**
 * Reads a file from its end until the last records are found. Returns false if the file must be read from its start: it has other lines than
 * JSON without an envelope, which can belong to lines before them.
 */
export async function readLastRecords(reading: FileReading, last: LastItems): Promise<boolean> {
  const [file] = reading.files
  if (file === undefined || reading.files.length > 1 || reading.input !== undefined) return false
  for (let bytes = firstBytes; bytes <= maxBytes; bytes *= 8) {
    if (!(await readLastBytes(file, bytes, reading))) break
    if (last.isFull) return true
    last.clear()
  }
  last.clear()
  return false
}

async function readLastBytes(file: string, bytes: number, reading: FileReading): Promise<boolean> {
  let isRead = true
  const onInputError = (): void => {
    isRead = false
  }
  const chunks = readEnd(file, bytes, { onInputError, countLines: false })
  if (chunks === undefined) return false
  const reader = newReader(file, reading, reading.sink)
  for await (const chunk of chunks) {
    if (!hasOnlyPlainJson(chunk)) return false
    reader.read(chunk)
    reading.flush()
  }
  reader.flush()
  reading.flush()
  return isRead
}

function hasOnlyPlainJson({ bytes }: LineChunk): boolean {
  for (let at = 0; at < bytes.length; at = endOfLine(bytes, at)) if (!isPlainJson(bytes, at)) return false
  return true
}

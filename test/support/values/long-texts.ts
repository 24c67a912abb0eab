import { readFileSync } from 'node:fs'
import { LongLine } from '../../../src/encode/json/long-line.ts'
import { LongRecordBuffer } from '../../../src/pipeline/long-record-buffer.ts'
import { RecordOwner } from '../../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../../src/pipeline/counters.ts'
import { byteBuffers } from '../../../src/platform/node/byte-buffers.ts'
import type { ParsedLine } from '../files/test-logger.ts'
import { source } from '../pipeline/batch.ts'

/** The number of UTF-16 units from which a string is deferred. */
export const longLength: number = 2 ** 20

/** The number of UTF-16 units that are escaped at a time. */
export const pieceLength = 65_536

/** Returns a text that is long enough to be deferred: a repeated unit, with an end marker that a truncation would lose. */
export function longText(unit: string, length: number = longLength + 1): string {
  const end = '<end>'
  return unit.repeat(Math.ceil((length - end.length) / unit.length)).slice(0, length - end.length) + end
}

/** Returns a line whose attribute `text` is a deferred string without escapes. */
export function longLine(length: number = longLength + 1): LongLine {
  return new LongLine(['{"message":"long","attributes":{"text":"', { value: longText('x', length) }, '"}}\n'])
}

/** Returns a batch with such a line. */
export function longBatch(length?: number): LongRecordBuffer {
  return new LongRecordBuffer(1, longLine(length), 9, new RecordOwner(new Counters(), source), byteBuffers())
}

/** Parses the lines of a text. Throws if a line is not JSON or the last line is incomplete. */
export function parsedLines(text: string): ParsedLine[] {
  if (!text.endsWith('\n')) throw new Error(`ends inside a line: …${text.slice(-100)}`)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as ParsedLine)
}

/** Returns the `seq` and the length of the `text` of each record in a log file. */
export function linesOf(path: string): { readonly seq: unknown; readonly length: number | undefined }[] {
  return parsedLines(readFileSync(path, 'utf8')).map(({ attributes }) => ({
    seq: attributes?.seq,
    length: (attributes?.text as string | undefined)?.length,
  }))
}

import { readFileSync } from 'node:fs'
import { LongLine } from '../../../src/encode/json/long-line.ts'
import { LongRecordBuffer } from '../../../src/pipeline/long-record-buffer.ts'
import { RecordOwner } from '../../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../../src/pipeline/counters.ts'
import { byteBuffers } from '../../../src/platform/node/byte-buffers.ts'
import type { ParsedLine } from '../files/line-keeper.ts'
import { source } from '../pipeline/batch.ts'

/** More UTF-16 units than a string may have that does not wait. */
export const longLength: number = 2 ** 20

/** How many UTF-16 units are escaped at a time. */
export const pieceLength = 65_536

/** A text that is long enough to wait: the unit again and again. It ends in a word that a cut would lose. */
export function longText(unit: string, length: number = longLength + 1): string {
  const end = '<end>'
  return unit.repeat(Math.ceil((length - end.length) / unit.length)).slice(0, length - end.length) + end
}

/** A line with one string that waits, which is its attribute `text`. Its escaped form is the same as the string. */
export function longLine(length: number = longLength + 1): LongLine {
  return new LongLine(['{"message":"long","attributes":{"text":"', { value: longText('x', length) }, '"}}\n'])
}

/** The same as an exporter is given it. */
export function longBatch(length?: number): LongRecordBuffer {
  return new LongRecordBuffer(1, longLine(length), 9, new RecordOwner(new Counters(), source), byteBuffers())
}

/** The lines of a text, parsed; throws at one that is no JSON. The text must end where a line does. */
export function parsedLines(text: string): ParsedLine[] {
  if (!text.endsWith('\n')) throw new Error(`ends inside a line: …${text.slice(-100)}`)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as ParsedLine)
}

/** What a log file says of its records: the attribute `seq`, and for a long one its length. */
export function linesOf(path: string): { readonly seq: unknown; readonly length: number | undefined }[] {
  return parsedLines(readFileSync(path, 'utf8')).map(({ attributes }) => ({
    seq: attributes?.seq,
    length: (attributes?.text as string | undefined)?.length,
  }))
}

import { readOtlpJsonLine, type ReadRecord } from '../../encode/otlp/otlp-json-reader.ts'
import { otlpJsonFileLine } from '../../encode/otlp/otlp-json-file.ts'
import { BatchBuffer, RecordOwner } from '../../pipeline/batch-buffer.ts'
import type { EncodedBatch } from '../../pipeline/exporter.ts'
import { Counters } from '../../pipeline/counters.ts'
import { byteBuffers } from '../../platform/node/byte-buffers.ts'
import { withChecksum } from './checksum.ts'

/** The maximum length of a line in bytes, including its end: the default limit of readers of this format (FIL6). */
export const longestLine: number = 1024 * 1024
/** The target size of the records in a line, in bytes, if there is more than one. */
const targetBytes = 512 * 1024

/** A line for the file, with the number of its records. */
export interface SpoolLine {
  readonly bytes: Uint8Array
  readonly records: number
}

/** Returns the first records of a batch as a line, or undefined if the first record is too large for a line. */
export function firstLine(batch: EncodedBatch): SpoolLine | undefined {
  for (let count = Math.max(1, batch.recordsIn(targetBytes)); ; count = Math.floor(count / 2)) {
    if (count === 0) return undefined
    const part = count === batch.count ? batch : batch.slice(0, count)
    const bytes = withChecksum(otlpJsonFileLine(part.bytes(), part.sources()))
    if (bytes.length <= longestLine) return { bytes, records: count }
  }
}

/** The content of a line: a batch, and the number of damaged records. */
export interface ReadBatch {
  /** Undefined if the line has no record. */
  readonly batch: EncodedBatch | undefined
  readonly damaged: number
}

/** Parses a line of a file, without its end. Returns undefined if it is not a line of a spool. Never throws. */
export function readBatch(line: Uint8Array): ReadBatch | undefined {
  const read = readOtlpJsonLine(line)
  if (read === undefined) return undefined
  return { batch: read.records.length === 0 ? undefined : batchOf(read.records), damaged: read.damaged }
}

/** Returns a copy of a batch that has its own memory. */
export function copyOf(batch: EncodedBatch): EncodedBatch {
  const records = batch.records()
  const copy = new BatchBuffer(0, buffers)
  let index = 0
  for (const source of batch.sources()) {
    const owner = new RecordOwner(counters, source)
    for (const end = index + source.count; index < end; index++)
      copy.add(records[index]!.text, records[index]!.severity, owner)
  }
  copy.close()
  return copy
}

const buffers = byteBuffers()
/** Counters that are not used: the process that logged the records has counted them. */
const counters = new Counters()

function batchOf(records: readonly ReadRecord[]): EncodedBatch {
  const buffer = new BatchBuffer(0, buffers)
  let owner = new RecordOwner(counters, records[0]!.source)
  for (const { text, severity, source } of records) {
    if (source !== owner.source) owner = new RecordOwner(counters, source)
    buffer.add(text, severity, owner)
  }
  buffer.close()
  return buffer
}

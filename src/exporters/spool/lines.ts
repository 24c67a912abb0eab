import { readOtlpJsonLine, type FileRecord } from '../../encode/otlp/otlp-json-reader.ts'
import { otlpJsonFileLine } from '../../encode/otlp/otlp-json-file.ts'
import { BatchBuffer, RecordOwner } from '../../pipeline/batch-buffer.ts'
import type { EncodedBatch } from '../../pipeline/exporter.ts'
import { Counters } from '../../pipeline/counters.ts'
import { byteBuffers } from '../../platform/node/byte-buffers.ts'
import { withChecksum } from './checksum.ts'

/** The maximum length of a line in bytes, including its newline: the default limit of readers of this format. */
export const maxLineBytes: number = 1024 * 1024
/**
 * The maximum size of the records in a line, in bytes, if there is more than one record. A line also contains resources, scopes and
 * a checksum. If it is longer than `maxLineBytes` with these, it gets half as many records.
 */
const maxRecordBytesPerLine = 512 * 1024

/** An encoded line with its newline, and the number of its records. */
export interface SpoolLine {
  readonly bytes: Uint8Array
  readonly records: number
}

/** Encodes the first records of a batch as one line. Returns undefined if the first record is too large for a line. */
export function encodeFirstLine(batch: EncodedBatch): SpoolLine | undefined {
  for (let count = Math.max(1, batch.recordsIn(maxRecordBytesPerLine)); ; count = Math.floor(count / 2)) {
    if (count === 0) return undefined
    const part = count === batch.count ? batch : batch.slice(0, count)
    const bytes = withChecksum(otlpJsonFileLine(part.bytes(), part.sources()))
    if (bytes.length <= maxLineBytes) return { bytes, records: count }
  }
}

/** The content of a line: its valid records as a batch, and the number of damaged records. */
export interface ParsedLine {
  /** Undefined if the line has no valid record. */
  readonly batch: EncodedBatch | undefined
  readonly damagedRecords: number
}

/** Parses a line of a file, without its newline. Returns undefined if it is not a line of a spool. Never throws. */
export function parseLine(line: Uint8Array): ParsedLine | undefined {
  const read = readOtlpJsonLine(line)
  if (read === undefined) return undefined
  return { batch: read.records.length === 0 ? undefined : batchOf(read.records), damagedRecords: read.damagedCount }
}

/** Returns a copy of a batch that has its own memory. */
export function copyBatch(batch: EncodedBatch): EncodedBatch {
  const records = batch.records()
  const copy = new BatchBuffer(unusedSequence, buffers)
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
/** A `BatchBuffer` requires its sequence number in a queue. These batches are not in a queue. */
const unusedSequence = 0
/** A `RecordOwner` requires counters. These are not read, because the records were counted when they were logged. */
const counters = new Counters()

function batchOf(records: readonly FileRecord[]): EncodedBatch {
  const buffer = new BatchBuffer(unusedSequence, buffers)
  let owner = new RecordOwner(counters, records[0]!.source)
  for (const { text, severity, source } of records) {
    if (source !== owner.source) owner = new RecordOwner(counters, source)
    buffer.add(text, severity, owner)
  }
  buffer.close()
  return buffer
}

import { readOtlpJsonLine, type ReadRecord } from '../../encode/otlp/otlp-json-reader.ts'
import { otlpJsonFileLine } from '../../encode/otlp/otlp-json-file.ts'
import { BatchBuffer, RecordOwner } from '../../pipeline/batch-buffer.ts'
import type { EncodedBatch } from '../../pipeline/exporter.ts'
import { Counters } from '../../pipeline/counters.ts'
import { byteBuffers } from '../../platform/node/byte-buffers.ts'
import { withChecksum } from './checksum.ts'

/** No line is longer, in bytes with its end: what readers of such files take by default (FIL6). */
export const longestLine: number = 1024 * 1024
/** What a line holds of records, in bytes, where there are several. */
const usualBytes = 512 * 1024

/** A line for the file, with the records that it holds. */
export interface SpoolLine {
  readonly bytes: Uint8Array
  readonly records: number
}

/** The first records of a batch as a line; undefined where the first one alone is too long for any. */
export function firstLine(batch: EncodedBatch): SpoolLine | undefined {
  for (let most = Math.max(1, batch.recordsIn(usualBytes)); ; most = Math.floor(most / 2)) {
    if (most === 0) return undefined
    const part = most === batch.count ? batch : batch.slice(0, most)
    const bytes = withChecksum(otlpJsonFileLine(part.bytes(), part.sources()))
    if (bytes.length <= longestLine) return { bytes, records: most }
  }
}

/** What a line held: a batch, and how many records are none. */
export interface ReadBatch {
  /** undefined: there is no record. */
  readonly batch: EncodedBatch | undefined
  readonly damaged: number
}

/** Reads a line of a file, without its end; undefined where it is none of ours. Never throws. */
export function readBatch(line: Uint8Array): ReadBatch | undefined {
  const read = readOtlpJsonLine(line)
  if (read === undefined) return undefined
  return { batch: read.records.length === 0 ? undefined : batchOf(read.records), damaged: read.damaged }
}

/** The same batch in memory of its own. */
export function copyOf(batch: EncodedBatch): EncodedBatch {
  const records = batch.records()
  const copy = new BatchBuffer(0, buffers)
  let at = 0
  for (const source of batch.sources()) {
    const owner = new RecordOwner(counters, source)
    for (const end = at + source.count; at < end; at++) copy.add(records[at]!.text, records[at]!.severity, owner)
  }
  copy.close()
  return copy
}

const buffers = byteBuffers()
/** The ledger of the process that logged them counted them; this one counts nothing. */
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

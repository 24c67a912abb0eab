import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { segmentName } from './names.ts'

/**
 * Why the records of a segment that are not settled are lost. `expired`: they are too old. `overflowed`: a size limit was reached.
 * `missing`: the file was removed, cannot be read, or is not trusted.
 */
export type LossReason = 'expired' | 'overflowed' | 'missing'

/** A sealed segment: a completed file in the queue. Its name contains the number of records (see `names.ts`). */
export interface Segment {
  readonly directory: DirectoryHandle
  readonly sequence: number
  /** The file's name. It can contain an older `records` and `readOffset`, until the file is renamed again. */
  name: string
  /** Whether each line ends with a checksum. */
  readonly hasChecksums: boolean
  /** The size of the file in bytes. */
  size: number
  /** When the last record was written to it, in ms since the epoch. */
  readonly writtenAt: number
  /** How many records are queued in it. */
  records: number
  /** Where the first queued record starts in the file, in bytes. */
  readOffset: number
  /** How many of `records` are in flight to the destination. */
  recordsInFlight: number
  /** Whether the segment was removed from the queue, and its file deleted if that was possible. */
  isGone: boolean
  /** Why the rest of the records is lost; undefined unless the segment was removed before all its records were settled. */
  lossReason: LossReason | undefined
  /** How many unreadable pieces were found in the file. Only the first ones are moved to quarantine; see `SpoolStore`. */
  quarantinedPieces: number
}

/** Returns the name that a sealed segment in its current state should have. */
export function sealedSegmentName({ sequence, records, readOffset, hasChecksums }: Omit<Segment, 'name'>): string {
  return segmentName({ sequence, records, readOffset, hasChecksums })
}

/** Returns a segment of which nothing is in flight. */
export function newSegment(
  properties: Pick<
    Segment,
    'directory' | 'sequence' | 'hasChecksums' | 'size' | 'writtenAt' | 'records' | 'readOffset'
  >,
): Segment {
  const segment = { ...properties, recordsInFlight: 0, isGone: false, lossReason: undefined, quarantinedPieces: 0 }
  return { ...segment, name: sealedSegmentName(segment) }
}

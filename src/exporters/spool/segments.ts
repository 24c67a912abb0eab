import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { segmentName } from './names.ts'

/** Why records of a file are lost without having been read. */
export type Loss = 'expired' | 'overflowed' | 'missing'

/** A full file in the queue. */
export interface Segment {
  readonly directory: DirectoryHandle
  readonly sequence: number
  /** The file's name. It equals `sealedSegmentName`, except if renaming failed. */
  name: string
  /** Whether each line ends with a checksum. */
  readonly checked: boolean
  /** The size of the file in bytes. */
  size: number
  /** When the last record was written to it, in ms since the epoch. */
  readonly writtenAt: number
  /** How many records are queued in it. */
  records: number
  /** Where the first queued record starts, in bytes. */
  from: number
  /** How many of these records are in flight to the destination. */
  inFlight: number
  /** Whether the file was removed. */
  gone: boolean
  /** Why it was lost, if not all of it was read. */
  lost: Loss | undefined
  /** How many pieces of it could not be read. */
  quarantined: number
}

/** Returns the name of a segment for its current state. */
export function sealedSegmentName({ sequence, records, from, checked }: Omit<Segment, 'name'>): string {
  return segmentName({ sequence, records, from, checked })
}

/** Creates a segment that is added to the queue. */
export function newSegment(
  properties: Pick<Segment, 'directory' | 'sequence' | 'checked' | 'size' | 'writtenAt' | 'records' | 'from'>,
): Segment {
  const segment = { ...properties, inFlight: 0, gone: false, lost: undefined, quarantined: 0 }
  return { ...segment, name: sealedSegmentName(segment) }
}

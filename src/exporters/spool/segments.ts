import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { segmentName } from './names.ts'

/** Why a file's records are lost that nobody has read. */
export type Loss = 'expired' | 'overflowed' | 'missing'

/** A file that is full, and waits. */
export interface Segment {
  readonly directory: DirectoryHandle
  readonly sequence: number
  /** Its name; `sealedName` of it, but where it could not be renamed. */
  name: string
  /** Each line ends in a checksum. */
  readonly checked: boolean
  /** How long it is, in bytes. */
  size: number
  /** When the last record was written into it, in ms since the epoch. */
  readonly writtenAt: number
  /** How many records wait in it. */
  records: number
  /** Where the first of these begins, in bytes. */
  from: number
  /** How many of them the destination has and has not answered. */
  inFlight: number
  /** It was removed. */
  gone: boolean
  /** Why, where not all of it was read. */
  lost: Loss | undefined
  /** How many pieces of it could not be read. */
  setAside: number
}

/** What a segment is called while nothing of it was replayed, or since. */
export function sealedName({ sequence, records, from, checked }: Omit<Segment, 'name'>): string {
  return segmentName({ sequence, records, from, checked })
}

/** A segment that has just come to wait. */
export function newSegment(
  of: Pick<Segment, 'directory' | 'sequence' | 'checked' | 'size' | 'writtenAt' | 'records' | 'from'>,
): Segment {
  const segment = { ...of, inFlight: 0, gone: false, lost: undefined, setAside: 0 }
  return { ...segment, name: sealedName(segment) }
}

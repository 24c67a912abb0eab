/**
 * What became of what a spool took: `spooled = replayed + expired + corrupt + waiting`. All counts in records unless said
 * otherwise, since the spool was made.
 */
export interface SpoolStats {
  /** Written into files by this spool, or found in those of processes that have ended. */
  readonly spooled: number
  /** Of these, the ones found. */
  readonly adopted: number
  /** Left by an answer of the destination. */
  readonly replayed: number
  /** Of these, the ones that the destination refused for good. */
  readonly rejected: number
  /** Dropped unsent: older than `maxAgeMillis`, or in the oldest file when `maxBytes` was reached. */
  readonly expired: number
  /** Of these, the ones for `maxBytes`. */
  readonly overflowed: number
  /** Found damaged when their turn came, or not found. A damaged line whose records nobody knows the number of is one. */
  readonly corrupt: number
  /** Of these, the ones in files that somebody has removed, or that cannot be read. */
  readonly missing: number
  /** In files, with a later turn. */
  readonly waiting: number
  /** How many of the replayed may have arrived twice, because there was no answer to the first time. */
  readonly maybeDuplicated: number
  /** How many pieces of files were set aside because they could not be read. */
  readonly setAside: number
  /** How many of these were lines that did not match their checksum. Their records count as `corrupt`. */
  readonly checksumFailed: number
  /** Files that wait. */
  readonly segments: number
  /** What they take, in bytes. */
  readonly bytes: number
}

/** The running counts. */
export type SpoolCounts = { -readonly [name in Exclude<keyof SpoolStats, 'waiting' | 'segments' | 'bytes'>]: number }

/** All of them zero. */
export function noCounts(): SpoolCounts {
  return {
    spooled: 0,
    adopted: 0,
    replayed: 0,
    rejected: 0,
    expired: 0,
    overflowed: 0,
    corrupt: 0,
    missing: 0,
    maybeDuplicated: 0,
    setAside: 0,
    checksumFailed: 0,
  }
}

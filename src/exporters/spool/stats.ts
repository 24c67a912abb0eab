/**
 * Statistics of a spool: `spooled = replayed + expired + corrupt + waiting`. Counts are numbers of records since the spool was
 * created, unless noted otherwise.
 */
export interface SpoolStats {
  /** Records that this spool wrote to files, or found in files of ended processes. */
  readonly spooled: number
  /** Of these, the records found in files of ended processes. */
  readonly adopted: number
  /** Records removed from the queue because the destination accepted or rejected them, or the exporter failed repeatedly. */
  readonly replayed: number
  /** Of these, the lost records: rejected permanently by the destination, or dropped after repeated failures of the exporter. */
  readonly rejected: number
  /** Records dropped because they were older than `maxAgeMillis`, or because a size limit was reached. */
  readonly expired: number
  /** Of these, the records dropped because a size limit was reached. */
  readonly overflowed: number
  /** Records that were damaged or missing when they were read. A damaged line with an unknown number of records counts as one. */
  readonly corrupt: number
  /** Of these, the records in files that were removed or cannot be read. */
  readonly missing: number
  /** Records still queued in files. */
  readonly waiting: number
  /** How many replayed records may have arrived twice, because there was no answer to an earlier attempt. */
  readonly maybeDuplicated: number
  /** How many pieces of files could not be read. They were moved to quarantine, as far as its limits allow. */
  readonly quarantined: number
  /** How many of these were lines that did not match their checksum. Their records count as `corrupt`. */
  readonly checksumFailed: number
  /** The number of queued files. */
  readonly segments: number
  /** The total size of queued files in bytes. */
  readonly bytes: number
}

/** The members of `SpoolStats` that only increase, as running counts. */
export type SpoolCounts = { -readonly [name in Exclude<keyof SpoolStats, 'waiting' | 'segments' | 'bytes'>]: number }

/** Returns new counts, all zero. */
export function newSpoolCounts(): SpoolCounts {
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
    quarantined: 0,
    checksumFailed: 0,
  }
}

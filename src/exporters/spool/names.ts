/** The parsed name of a segment, which shows how many records are queued without reading the file. */
export interface SegmentName {
  /** The sequence number, which increases in a directory in the order of writing. */
  readonly sequence: number
  /** How many records are queued in it; undefined while it is being written. */
  readonly records: number | undefined
  /** Where the first queued record starts, in bytes. Everything before it was replayed. */
  readonly from: number
  /** Whether each line ends with a checksum. Files of earlier versions have none. */
  readonly checked: boolean
}

/**
 * Returns the name of a segment. `0000000007.open.crc32.jsonl` is being written; `0000000007.512.0.crc32.jsonl` is full and has
 * 512 queued records, from byte 0 on. A single rename changes the state, so there is no intermediate state. Names of files
 * without checksums end with `.jsonl` only.
 */
export function segmentName({ sequence, records, from, checked }: SegmentName): string {
  const state = records === undefined ? 'open' : `${records}.${from}`
  return `${String(sequence).padStart(10, '0')}.${state}${checked ? '.crc32' : ''}.jsonl`
}

/** Parses such a name. Returns undefined for any other. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const found = /^(\d{10,15})\.(?:open|(\d{1,15})\.(\d{1,15}))(\.crc32)?\.jsonl$/.exec(name)
  if (found === null) return undefined
  const [, sequence, records, from, checksum] = found
  return {
    sequence: Number(sequence),
    records: records === undefined ? undefined : Number(records),
    from: Number(from ?? 0),
    checked: checksum !== undefined,
  }
}

/** Returns the new name of a file that has the name of a segment but is not read, because another user may have written it. */
export const untrustedName = (name: string): string => `untrusted-${name}`

/** The owner of a directory, as encoded in its name. */
export interface OwnerName {
  readonly pid: number
  /** When the process started, in system clock ticks; 0 if unknown. */
  readonly started: number
  /** Identifies the system, its boot and the container. Process ids are only comparable within the same one. */
  readonly place: string
  /** Distinguishes everything else: threads, loggers and earlier processes. */
  readonly unique: string
}

/** Returns the name of an owner's directory, such as `owner-4711-889012-1f2e3d4c-0a1b2c3d4e5f`. */
export function ownerName({ pid, started, place, unique }: OwnerName): string {
  return `owner-${pid}-${started}-${place}-${unique}`
}

/** Parses such a name. Returns undefined for any other. */
export function parseOwnerName(name: string): OwnerName | undefined {
  const found = /^owner-(\d{1,10})-(\d{1,15})-([0-9a-f]{8})-([0-9a-f]{12})$/.exec(name)
  if (found === null) return undefined
  const [, pid, started, place, unique] = found
  return { pid: Number(pid), started: Number(started), place: place!, unique: unique! }
}

/** Returns the name of a directory that an owner leaves at shutdown, which any process may claim. */
export const reusableName = (unique: string): string => `free-${unique}`
/** Returns whether a name is such a name. */
export const isFreeName = (name: string): boolean => /^free-[0-9a-f]{12}$/.test(name)

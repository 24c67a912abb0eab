/** The parsed name of a segment, which shows how many records are queued without reading the file. */
export interface SegmentName {
  /** The sequence number, which increases in a directory in the order in which segments are added. */
  readonly sequence: number
  /** How many records are queued in the segment; undefined while it is being written. */
  readonly records: number | undefined
  /** Where the first queued record starts, in bytes. Everything before is settled. */
  readonly readOffset: number
  /** Whether each line ends with a checksum. Files of earlier versions have none. */
  readonly hasChecksums: boolean
}

/**
 * Returns the name of a segment. `0000000007.open.crc32.jsonl` is being written; `0000000007.512.0.crc32.jsonl` is complete and
 * has 512 queued records, from byte 0 on. Each change of the state is one rename, so there is no intermediate state. Names of files
 * without checksums end with `.jsonl` only.
 */
export function segmentName({ sequence, records, readOffset, hasChecksums }: SegmentName): string {
  const state = records === undefined ? 'open' : `${records}.${readOffset}`
  return `${String(sequence).padStart(10, '0')}.${state}${hasChecksums ? '.crc32' : ''}.jsonl`
}

/** Parses the name of a segment. Returns undefined for any other name. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const match = /^(\d{10,15})\.(?:open|(\d{1,15})\.(\d{1,15}))(\.crc32)?\.jsonl$/.exec(name)
  if (match === null) return undefined
  const [, sequence, records, readOffset, checksum] = match
  return {
    sequence: Number(sequence),
    records: records === undefined ? undefined : Number(records),
    readOffset: Number(readOffset ?? 0),
    hasChecksums: checksum !== undefined,
  }
}

/** Returns the new name of a file that has the name of a segment but is not read, because another user may have written it. */
export const untrustedName = (name: string): string => `untrusted-${name}`

/** The owner of a directory, as encoded in its name. */
export interface OwnerName {
  readonly pid: number
  /** When the process started, in clock ticks since the system booted; 0 if unknown. */
  readonly startTicks: number
  /** Identifies the machine, its boot and the container. Process ids are comparable only if this is equal. */
  readonly systemId: string
  /** Random: distinguishes owners whose other fields are equal, such as the threads of a process. */
  readonly uniqueId: string
}

/** Returns the name of an owner's directory, such as `owner-4711-889012-1f2e3d4c-0a1b2c3d4e5f`. */
export function ownerName({ pid, startTicks, systemId, uniqueId }: OwnerName): string {
  return `owner-${pid}-${startTicks}-${systemId}-${uniqueId}`
}

/** Parses the name of an owner's directory. Returns undefined for any other name. */
export function parseOwnerName(name: string): OwnerName | undefined {
  const match = /^owner-(\d{1,10})-(\d{1,15})-([0-9a-f]{8})-([0-9a-f]{12})$/.exec(name)
  if (match === null) return undefined
  const [, pid, startTicks, systemId, uniqueId] = match
  return { pid: Number(pid), startTicks: Number(startTicks), systemId: systemId!, uniqueId: uniqueId! }
}

/** Returns the name of a released directory: one that its owner left at shutdown, and that any process may claim. */
export const releasedName = (uniqueId: string): string => `free-${uniqueId}`
/** Returns whether a name is that of a released directory. */
export const isReleasedName = (name: string): boolean => /^free-[0-9a-f]{12}$/.test(name)

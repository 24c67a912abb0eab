/** What a segment's name says of it, so that nobody has to read the file to know how much waits. */
export interface SegmentName {
  /** Counts up in a directory: the order of writing. */
  readonly sequence: number
  /** How many records wait in it; undefined while it is written. */
  readonly records: number | undefined
  /** Where the first of them begins, in bytes: what stands in front was replayed. */
  readonly from: number
  /** Each line ends in a checksum. Files of earlier versions have none. */
  readonly checked: boolean
}

/**
 * `0000000007.open.crc32.jsonl` is being written; `0000000007.512.0.crc32.jsonl` is full and has 512 records that wait, from
 * its byte 0 on. One rename moves a file from one state to the next, so there is none in between. The names of files without
 * checksums end in `.jsonl` alone.
 */
export function segmentName({ sequence, records, from, checked }: SegmentName): string {
  const state = records === undefined ? 'open' : `${records}.${from}`
  return `${String(sequence).padStart(10, '0')}.${state}${checked ? '.crc32' : ''}.jsonl`
}

/** Reads such a name; undefined for any other. */
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

/** What a file is called that has the name of a segment and is not read, because another user may have written it. */
export const untrustedName = (name: string): string => `untrusted-${name}`

/** Who writes a directory, as its name says. */
export interface OwnerName {
  readonly pid: number
  /** When the process started, in the system's own ticks; 0 where that cannot be known. */
  readonly started: number
  /** Tells systems, their starts, and containers apart: only within one is a process id worth something. */
  readonly place: string
  /** Tells all else apart: threads, loggers, and those of before. */
  readonly unique: string
}

/** `owner-4711-889012-1f2e3d4c-0a1b2c3d4e5f`. */
export function ownerName({ pid, started, place, unique }: OwnerName): string {
  return `owner-${pid}-${started}-${place}-${unique}`
}

/** Reads such a name; undefined for any other. */
export function parseOwnerName(name: string): OwnerName | undefined {
  const found = /^owner-(\d{1,10})-(\d{1,15})-([0-9a-f]{8})-([0-9a-f]{12})$/.exec(name)
  if (found === null) return undefined
  const [, pid, started, place, unique] = found
  return { pid: Number(pid), started: Number(started), place: place!, unique: unique! }
}

/** What an owner that has shut down leaves behind: anybody's. */
export const freeName = (unique: string): string => `free-${unique}`
/** Whether a name is such a one. */
export const isFreeName = (name: string): boolean => /^free-[0-9a-f]{12}$/.test(name)

import type { AnyValue } from '../../record/any-value.ts'
import type { JournalFields } from './journald.ts'

/** What was found at a position where an entry of the journal begins. */
export type JournalEntry =
  | {
      readonly fields: JournalFields
      /** The position after the entry and its empty line. */
      readonly end: number
    }
  /** The end of the entry is not in the bytes. */
  | 'incomplete'
  /** The bytes are not an entry. */
  | undefined

const starts = ['__CURSOR=', '__REALTIME_TIMESTAMP=']

/** Returns whether an entry of the export format begins at a position. */
export function isJournalEntry(bytes: Buffer, start: number): boolean {
  return starts.some((name) => bytes.toString('latin1', start, start + name.length) === name)
}

/**
 * Reads an entry of the Journal Export Format of systemd, which `journalctl -o export` writes: lines of `NAME=value`, and an empty line
 * after the last. A field whose value is not printable text is its name on a line, the length as 64 bits in little-endian order, the
 * bytes, and a newline.
 *
 * @param isEnd - whether no more bytes follow, so that an entry ends with them
 */
export function readJournalEntry(bytes: Buffer, start: number, isEnd: boolean): JournalEntry {
  const fields = new Map<string, AnyValue>()
  let at = start
  while (at < bytes.length) {
    if (bytes[at] === newline) return { fields, end: at + 1 }
    const lineEnd = bytes.indexOf(newline, at)
    const nameEnd = endOfName(bytes, at)
    const isText = bytes[nameEnd] === equalsSign
    // The next line is not a field: the entry ends here.
    if (nameEnd === at || (!isText && nameEnd !== lineEnd)) {
      const isCut = lineEnd < 0 && nameEnd === bytes.length
      if (isCut && !isEnd) return 'incomplete'
      return at === start ? undefined : { fields, end: isCut ? bytes.length : at }
    }
    const name = bytes.toString('latin1', at, nameEnd)
    if (isText) {
      if (lineEnd < 0 && !isEnd) return 'incomplete'
      const valueEnd = lineEnd < 0 ? bytes.length : lineEnd
      addField(fields, name, bytes.toString('utf8', nameEnd + 1, valueEnd))
      at = valueEnd + 1
      continue
    }
    const dataStart = nameEnd + 9
    const length = dataStart <= bytes.length ? bytes.readBigUInt64LE(nameEnd + 1) : 0n
    if (length > maxFieldBytes) return at === start ? undefined : { fields, end: at }
    const dataEnd = dataStart + Number(length)
    if (dataEnd >= bytes.length) {
      if (!isEnd) return 'incomplete'
      if (dataStart < bytes.length) addField(fields, name, bytes.toString('utf8', dataStart))
      return { fields, end: bytes.length }
    }
    if (bytes[dataEnd] !== newline) return at === start ? undefined : { fields, end: at }
    addField(fields, name, bytes.toString('utf8', dataStart, dataEnd))
    at = dataEnd + 1
  }
  return isEnd ? { fields, end: bytes.length } : 'incomplete'
}

function addField(fields: Map<string, AnyValue>, name: string, value: string): void {
  const others = fields.get(name)
  if (others === undefined) fields.set(name, value)
  else fields.set(name, Array.isArray(others) ? [...(others as readonly AnyValue[]), value] : [others, value])
}

/** Returns the end of a name of capital letters, digits and underscores. */
function endOfName(bytes: Buffer, start: number): number {
  let at = start
  for (; at < bytes.length && at - start <= maxNameLength; at++) {
    const code = bytes[at]!
    if (!((code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === underscore)) break
  }
  return at
}

/** The limits of systemd-journald: names of 64 characters, values of 768 MiB. A value here is at most that of a joined line. */
const maxNameLength = 64
const maxFieldBytes = 64n * 1024n * 1024n
const newline = 10
const equalsSign = 61
const underscore = 95

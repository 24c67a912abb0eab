import { base64 } from '../json/base64.ts'

/** A member: its name in the line, its name for redaction rules, and its value. */
export interface Member {
  readonly key: string
  readonly rule: string
  readonly value: unknown
}

/** The members of an object that are not its own properties: those of a Map, an Error or Headers. */
export class Members {
  /** The first members, up to the number that may be written. */
  readonly entries: readonly Member[]
  /** The number of all members. */
  readonly size: number
  /** Whether they are header fields, so that the rules for credential headers apply wherever the object is. */
  readonly areHeaders: boolean
  constructor(entries: readonly Member[], size: number = entries.length, areHeaders = false) {
    this.entries = entries
    this.size = size
    this.areHeaders = areHeaders
  }
}

/** The items of a list that is not an array: those of a Set or a typed array, or the entries of a Map. */
export class Items {
  /** The first items, up to the number that may be written. */
  readonly first: readonly unknown[]
  /** The number of all items. */
  readonly size: number
  constructor(first: readonly unknown[], size: number) {
    this.first = first
    this.size = size
  }
}

/** Bytes that are not yet converted to base64, so that a format with a type for bytes can distinguish them from a string. */
export class Bytes {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  text(): string {
    return base64(this.bytes)
  }
}

import { base64 } from '../json/base64.ts'

/** A member of an object. */
export interface Member {
  /** The key that is written. */
  readonly key: string
  /** The key that redaction rules apply to. */
  readonly ruleKey: string
  readonly value: unknown
}

/** The members of an object that are not read as its own properties: those of a Map, an Error or Headers. */
export class Members {
  /** The first members, up to the number that may be written. */
  readonly entries: readonly Member[]
  /** The number of all members. */
  readonly size: number
  /** Whether the members are header fields. If so, the rules for members of `headers` apply to them, whatever the key of the object is. */
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
  readonly firstItems: readonly unknown[]
  /** The number of all items. */
  readonly size: number
  constructor(firstItems: readonly unknown[], size: number) {
    this.firstItems = firstItems
    this.size = size
  }
}

/** Bytes that are not yet converted to base64, so that a format with a type for bytes can distinguish them from a string. */
export class Bytes {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  toBase64(): string {
    return base64(this.bytes)
  }
}

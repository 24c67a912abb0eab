import { base64 } from '../json/base64.ts'

/** One member: its name in the line, the name that rules know it by, its value. */
export interface Member {
  readonly key: string
  readonly rule: string
  readonly value: unknown
}

/** An object's members where they are not its own properties: those of a Map, an Error, Headers. */
export class Members {
  /** The first ones: as many as may be written. */
  readonly entries: readonly Member[]
  /** How many there are. */
  readonly size: number
  /** Whether they are header fields, so that the rules for credential headers hold wherever the object stands. */
  readonly areHeaders: boolean
  constructor(entries: readonly Member[], size: number = entries.length, areHeaders = false) {
    this.entries = entries
    this.size = size
    this.areHeaders = areHeaders
  }
}

/** A list's items where they are not those of an array: a Set's, a typed array's, the entries of a Map. */
export class Items {
  /** The first ones: as many as may be written. */
  readonly first: readonly unknown[]
  /** How many there are. */
  readonly size: number
  constructor(first: readonly unknown[], size: number) {
    this.first = first
    this.size = size
  }
}

/** Bytes, apart from the base64 text they are written as: a format that knows bytes can tell them from a string. */
export class Bytes {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  text(): string {
    return base64(this.bytes)
  }
}

import { base64 } from './base64.ts'

/** One member: its name in the line, the name that rules know it by, its value. */
export interface Member {
  readonly key: string
  readonly rule: string
  readonly value: unknown
}

/** An object's members where they are not its own properties: those of a Map, an Error, Headers. */
export class Members {
  readonly entries: readonly Member[]
  /** Whether they are header fields, so that the rules for credential headers hold wherever the object stands. */
  readonly areHeaders: boolean
  constructor(entries: readonly Member[], areHeaders = false) {
    this.entries = entries
    this.areHeaders = areHeaders
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

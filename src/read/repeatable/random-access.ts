/** Bytes that can be read at any position. */
export interface RandomAccess {
  /** Reads bytes at a position into an array, and returns their number, which is smaller than its length only at the end. */
  read(into: Uint8Array, position: number): number
}

/** The bytes of an input in a file, which can contain other inputs too. */
export interface ByteRange {
  readonly bytes: RandomAccess
  readonly start: number
  /** Where it ends. */
  readonly end: number
}

/** The range of an input without bytes. */
export const noBytes: ByteRange = { bytes: { read: () => 0 }, start: 0, end: 0 }

import type { TextPage } from './text-store.ts'

/** What becomes of held records of the same exporters: how they are counted, released and discarded. */
export interface HeldDestination {
  /** Counts a record as emitted and held. */
  count(): void
  /** Adds the text of a record to the queues of its exporters, and counts it as released. */
  release(held: HeldRecord, text: string): void
  /** Counts a record as discarded. */
  discard(): void
}

/** The text of a record in one encoding or several, and where it can be released to. */
export interface EncodedForHolding {
  /** The texts in all encodings, one after the other. */
  readonly text: string
  /** The length of each text; undefined for one encoding. */
  readonly lengths: readonly number[] | undefined
  /** For each encoding, whether part of the record was cut; undefined if no text was cut. */
  readonly truncatedFlags: readonly boolean[] | undefined
  readonly destination: HeldDestination
}

/** A held record: finished, redacted text that is not queued. Its text is in a page of a `TextStore`. */
export class HeldRecord {
  readonly severity: number
  readonly destination: HeldDestination
  readonly lengths: readonly number[] | undefined
  readonly truncatedFlags: readonly boolean[] | undefined
  /** When the record was logged, in ms of the monotonic clock. */
  readonly heldAt: number
  /** The length of the texts in UTF-16 units. */
  readonly length: number
  /** The page that contains the text; undefined once the record is released or discarded. */
  page: TextPage | undefined
  /** Where the text starts in the page, in UTF-16 units. */
  start: number
  /** The next record of the same key. */
  next: HeldRecord | undefined

  constructor({ text, lengths, truncatedFlags, destination }: EncodedForHolding, severity: number, heldAt: number) {
    this.severity = severity
    this.destination = destination
    this.lengths = lengths
    this.truncatedFlags = truncatedFlags
    this.heldAt = heldAt
    this.length = text.length
    this.page = undefined
    this.start = 0
    this.next = undefined
  }
}

import type { TextInPage, TextPage } from './text-page.ts'

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

/** A held record: finished, redacted text that is not queued. Its text is in a `TextPage`. */
export class HeldRecord implements TextInPage<HeldRecord> {
  severity: number
  /** When the record was logged, in ms of the recorder's clock. */
  heldAt: number
  /** The length of the texts in UTF-16 units. */
  length: number
  lengths: readonly number[] | undefined
  truncatedFlags: readonly boolean[] | undefined
  destination: HeldDestination
  /** The page that contains the text; undefined before the text is added, and once the record is released or discarded. */
  page: TextPage<HeldRecord> | undefined = undefined
  /** Where the text starts in the page, in UTF-16 units. */
  start = 0
  /** The next record of the same key. */
  next: HeldRecord | undefined = undefined

  constructor({ text, lengths, truncatedFlags, destination }: EncodedForHolding, severity: number, heldAt: number) {
    this.severity = severity
    this.heldAt = heldAt
    this.length = text.length
    this.lengths = lengths
    this.truncatedFlags = truncatedFlags
    this.destination = destination
  }
}

/** The maximum number of unused objects that are kept. */
const maxUnused = 1_024

/**
 * Objects for held records, which are reused: held records live longer than the garbage collector expects of new objects, so each new one
 * would be copied twice.
 */
export class HeldRecordPool {
  private unused: HeldRecord | undefined
  private unusedCount = 0

  create(encoded: EncodedForHolding, severity: number, heldAt: number): HeldRecord {
    const held = this.unused
    if (held === undefined) return new HeldRecord(encoded, severity, heldAt)
    this.unused = held.next
    this.unusedCount--
    held.severity = severity
    held.heldAt = heldAt
    held.length = encoded.text.length
    held.lengths = encoded.lengths
    held.truncatedFlags = encoded.truncatedFlags
    held.destination = encoded.destination
    held.next = undefined
    return held
  }

  /** Takes back an object that nothing refers to any more. */
  release(held: HeldRecord): void {
    if (this.unusedCount >= maxUnused) return
    held.next = this.unused
    this.unused = held
    this.unusedCount++
  }
}

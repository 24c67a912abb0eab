import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { cutMarker, maxMarkerLength, cutWithMarker } from './markers.ts'
import { truncate } from '../json/quote.ts'

/** The limits and the redaction patterns for the texts of a walk. All lengths are in UTF-16 units. */
export class TextLimits {
  /** A longer text is cut before it is escaped. */
  readonly maxUncutLength: number
  /** The length to which a text is cut, without its marker. */
  private readonly maxLength: number
  private readonly addsMarker: boolean
  private readonly patterns: TextPatterns | undefined
  /** Called when the limit of the record cuts a text; undefined if the limit of strings is lower. */
  private readonly onTruncated: (() => void) | undefined

  /** @param stringLength - the maximum length of a string, in addition to the limit of the record */
  constructor(limits: ResolvedLimits, stringLength: number, patterns: TextPatterns | undefined) {
    const { recordBytes, followsOpenTelemetry } = limits
    this.maxLength = Math.min(stringLength, recordBytes)
    // A string that was cut to `recordBytes` before is longer by its marker, and is not cut again.
    this.maxUncutLength = Math.min(stringLength, recordBytes + maxMarkerLength)
    // Text cut by the limit of the record always gets a marker. OpenTelemetry's limits do not forbid that.
    this.addsMarker = !followsOpenTelemetry || this.maxLength >= recordBytes
    this.patterns = patterns
    this.onTruncated = this.maxLength >= recordBytes ? limits.onTruncated : undefined
  }

  /** Returns a string with pattern matches redacted, cut to the maximum length. */
  redactAndCut(value: string): string {
    if (value.length <= this.maxUncutLength) return this.redactText(value)
    this.onTruncated?.()
    if (this.patterns === undefined)
      return this.addsMarker ? cutWithMarker(value, this.maxLength) : truncate(value, this.maxLength)
    // Text after the cut is not searched in full, but a match that crosses the cut is redacted as a whole.
    const redactedStart = this.patterns.redactBeginning(value, this.maxLength)
    // This removes half of a surrogate pair at the end.
    const kept = truncate(redactedStart, redactedStart.length)
    return this.addsMarker ? kept + cutMarker(value, this.maxLength) : kept
  }

  /** Returns a string that is within the limits, with pattern matches redacted. If that makes it too long, it is cut. */
  redactText(value: string): string {
    if (this.patterns === undefined) return value
    const text = this.patterns.redact(value)
    if (text.length <= this.maxUncutLength || text === value) return text
    this.onTruncated?.()
    return this.addsMarker ? cutWithMarker(text, this.maxLength) : truncate(text, this.maxLength)
  }
}

import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { cutMarker, longestMarker, stringText } from './markers.ts'
import { truncate } from '../json/quote.ts'

/** The limits and the redaction patterns for the texts of a walk. All lengths are in UTF-16 units. */
export class TextLimits {
  /** A longer text is cut before it is escaped, because it would not fit into a line. */
  readonly longest: number
  private readonly most: number
  private readonly isMarked: boolean
  private readonly patterns: TextPatterns | undefined
  /** Called when the limit of the record cuts a text. */
  private readonly truncated: (() => void) | undefined

  /** @param stringLength - the maximum length of a string, in addition to the limit of the record */
  constructor(limits: ResolvedLimits, stringLength: number, patterns: TextPatterns | undefined) {
    const { recordBytes, bare } = limits
    this.most = Math.min(stringLength, recordBytes)
    // A string that was cut before is longer by its marker.
    this.longest = Math.min(stringLength, recordBytes + longestMarker)
    // Text cut by the limit of the record always gets a marker. OpenTelemetry's limits do not forbid that.
    this.isMarked = !bare || this.most >= recordBytes
    this.patterns = patterns
    this.truncated = this.most >= recordBytes ? limits.truncated : undefined
  }

  /** Returns a string with pattern matches redacted, cut to the maximum length. */
  cut(value: string): string {
    if (value.length <= this.longest) return this.clean(value)
    this.truncated?.()
    if (this.patterns === undefined) return this.isMarked ? stringText(value, this.most) : truncate(value, this.most)
    // Text after the cut is not searched in full, but a match that crosses the cut is redacted as a whole.
    const found = this.patterns.upTo(value, this.most)
    const kept = truncate(found, found.length)
    return this.isMarked ? kept + cutMarker(value, this.most) : kept
  }

  /** Returns a string of at most the maximum length with pattern matches redacted. */
  clean(value: string): string {
    if (this.patterns === undefined) return value
    const text = this.patterns.redacted(value)
    // A replacement may be longer than the text that it replaces.
    return text.length <= this.longest || text === value ? text : truncate(text, this.most)
  }
}

import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { cutMarker, longestMarker, stringText } from './markers.ts'
import { truncate } from '../json/quote.ts'

/** How long the texts of a walk may be, and what none of them may hold. */
export class TextLimits {
  /** What is longer is cut before it is escaped: it would not fit into a line anyway. In UTF-16 units, as all here. */
  readonly longest: number
  private readonly most: number
  private readonly isMarked: boolean
  private readonly patterns: TextPatterns | undefined
  /** Called when the limit of the record cuts a text. */
  private readonly truncated: (() => void) | undefined

  /** `stringLength`: how long a string may be, beside what a record may have. */
  constructor(limits: ResolvedLimits, stringLength: number, patterns: TextPatterns | undefined) {
    const { recordBytes, bare } = limits
    this.most = Math.min(stringLength, recordBytes)
    // A string that was cut before is a little longer, by its marker.
    this.longest = Math.min(stringLength, recordBytes + longestMarker)
    // What the limit of the record cuts is marked all the same: no limit of OpenTelemetry's says that it must not be.
    this.isMarked = !bare || this.most >= recordBytes
    this.patterns = patterns
    this.truncated = this.most >= recordBytes ? limits.truncated : undefined
  }

  /** A string without what patterns find, as long as it may be. */
  cut(value: string): string {
    if (value.length <= this.longest) return this.clean(value)
    this.truncated?.()
    if (this.patterns === undefined) return this.isMarked ? stringText(value, this.most) : truncate(value, this.most)
    // What comes behind the cut is not worth a search, and what ends there must not stay in part.
    const found = this.patterns.upTo(value, this.most)
    const kept = truncate(found, found.length)
    return this.isMarked ? kept + cutMarker(value, this.most) : kept
  }

  /** The same of a string that is no longer than it may be. */
  clean(value: string): string {
    if (this.patterns === undefined) return value
    const text = this.patterns.redacted(value)
    // What stands in place of something may be longer than that.
    return text.length <= this.longest || text === value ? text : truncate(text, this.most)
  }
}

import type { BoundNames, JsonKey } from '../../record/bound-names.ts'
import type { BoundState, CacheEntry } from '../../record/bound.ts'
import { jsonText } from '../plain-data.ts'
import { escape, flattenString, quote } from './quote.ts'

/**
 * The text after the message in a line of `LineFields.fastPathLine`, as far as it depends only on the layout, the scope and the resource.
 */
export interface SegmentFrame {
  /** From the closing quote of the message to the first attribute. */
  readonly fromQuoteToAttributes: string
  /** From the closing quote of the message to the end of a line without attributes. */
  readonly fromQuoteToEnd: string
  /** From the last attribute to the end of the line. */
  readonly fromAttributesToEnd: string
}

/**
 * The bound attributes as text, and the text of a line of `LineFields.fastPathLine` from the end of the message to the attributes of the
 * call. Each form of this text (the getters) is created on first use, because a child logger for a request often writes only two lines,
 * both with the same form.
 */
export class CachedSegments implements CacheEntry {
  /** The encoder that uses these segments. */
  readonly cacheKey: object
  next: CacheEntry | undefined
  /** The bound attributes as JSON members, joined by commas. */
  readonly members: string
  /** Whether a bound attribute has a name that the layout reserves. */
  readonly hasReservedName: boolean
  private readonly frame: SegmentFrame
  private cachedFromQuoteToAttributes: string | undefined
  private cachedFromQuoteToEnd: string | undefined
  private cachedAfterQuoteToAttributes: string | undefined
  private cachedAfterQuoteToEnd: string | undefined
  private uses: number

  constructor(cacheKey: object, frame: SegmentFrame, members: string, hasReservedName: boolean) {
    this.cacheKey = cacheKey
    this.next = undefined
    this.members = members
    this.hasReservedName = hasReservedName
    this.frame = frame
    this.cachedFromQuoteToAttributes = undefined
    this.cachedFromQuoteToEnd = undefined
    this.cachedAfterQuoteToAttributes = undefined
    this.cachedAfterQuoteToEnd = undefined
    this.uses = 0
  }

  /** From the closing quote of the message up to the first attribute of the call. */
  get fromQuoteToAttributes(): string {
    if (this.cachedFromQuoteToAttributes !== undefined) return this.cachedFromQuoteToAttributes
    const { fromQuoteToAttributes } = this.frame
    return (this.cachedFromQuoteToAttributes =
      this.members === '' ? fromQuoteToAttributes : flattenString(fromQuoteToAttributes + this.members + ','))
  }

  /** From the closing quote of the message up to the end of the line, for a call without attributes. */
  get fromQuoteToEnd(): string {
    if (this.cachedFromQuoteToEnd !== undefined) return this.cachedFromQuoteToEnd
    const { fromQuoteToAttributes, fromQuoteToEnd, fromAttributesToEnd } = this.frame
    return (this.cachedFromQuoteToEnd =
      this.members === '' ? fromQuoteToEnd : flattenString(fromQuoteToAttributes + this.members + fromAttributesToEnd))
  }

  /** Counts a use of these segments. Returns whether they occur in many lines, so that longer texts that contain them are worth caching. */
  countUseAndTestRecurrence(): boolean {
    return this.uses > recurringUses || ++this.uses > recurringUses
  }

  /** `fromQuoteToAttributes` without the quote. */
  get afterQuoteToAttributes(): string {
    return (this.cachedAfterQuoteToAttributes ??= this.fromQuoteToAttributes.slice(1))
  }

  /** `fromQuoteToEnd` without the quote. */
  get afterQuoteToEnd(): string {
    return (this.cachedAfterQuoteToEnd ??= this.fromQuoteToEnd.slice(1))
  }
}

/** The number of uses after which segments are considered recurring. A child logger for a request usually has fewer. */
const recurringUses = 16

/** An encoder that uses segments. It is the key under which `BoundState` caches those that it creates. */
export interface SegmentFactory {
  /**
   * Creates the segments of a bound state.
   *
   * @param members - its attributes as JSON members, joined by commas
   */
  createSegments(bound: BoundState, members: string): CachedSegments
}

/** Returns the segments with the bound attributes, which are already redacted. They are cached for each encoder. */
export function segmentsOf(bound: BoundState, encoder: SegmentFactory): CachedSegments {
  const known = bound.cacheEntryOf(encoder)
  return known === undefined
    ? bound.addCacheEntry(encoder.createSegments(bound, membersOf(bound, encoder)))
    : (known as CachedSegments)
}

/** Returns the bound attributes as JSON members. The text of the parent state is reused unless this state overrides one of its keys. */
function membersOf(bound: BoundState, encoder: SegmentFactory): string {
  const { parent, names, values } = bound
  if (names.overridesParent) return Array.from(bound.attributes, ([key, value]) => memberText(key, value)).join()
  let text = parent === undefined ? '' : segmentsOf(parent, encoder).members
  const keys = (names.jsonKeys ??= jsonKeysOf(names, text === ''))
  for (let i = 0; i < keys.length; i++) {
    const value = values[i]!
    // Concatenate few and large pieces, because each concatenation costs about 15 ns.
    if (typeof value === 'string') text = text + keys[i]!.keyAndQuote + escape(value) + '"'
    else text = text + keys[i]!.key + jsonText(value)
  }
  return text
}

function jsonKeysOf({ ownNames }: BoundNames, areFirst: boolean): readonly JsonKey[] {
  return ownNames.map((name, index) => {
    const key = (areFirst && index === 0 ? '' : ',') + quote(name) + ':'
    return { key: flattenString(key), keyAndQuote: flattenString(key + '"') }
  })
}

/** Returns an attribute as a JSON member. */
export function memberText(key: string, value: BoundState['values'][number]): string {
  return quote(key) + ':' + jsonText(value)
}

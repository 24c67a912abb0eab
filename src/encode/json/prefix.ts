import type { BoundNames, JsonKey } from '../../record/bound-names.ts'
import type { BoundState, CacheEntry } from '../../record/bound.ts'
import { jsonText } from '../plain.ts'
import { escape, flat, quote } from './quote.ts'

/** The fixed text around the bound attributes of common lines. It does not depend on those attributes. */
export interface SegmentFrame {
  /** From the closing quote of the message to the first attribute. */
  readonly quotedOpen: string
  /** From the closing quote of the message to the end of a line without attributes. */
  readonly quotedNone: string
  /** From the last attribute to the end of the line. */
  readonly end: string
}

/**
 * The bound attributes as text, and the text of a common line from the end of the message to the attributes of the call. The latter is
 * created on first use, because a child logger for a request often needs only one of its forms, for two lines.
 */
export class CachedSegments implements CacheEntry {
  readonly owner: object
  next: CacheEntry | undefined
  /** The bound attributes as JSON members, joined by commas. */
  readonly members: string
  /** Whether a bound attribute has a name that the layout reserves. */
  readonly clashes: boolean
  private readonly frame: SegmentFrame
  private toAttributes: string | undefined
  private toEnd: string | undefined
  private unquotedOpen: string | undefined
  private unquotedAlone: string | undefined
  private uses: number

  constructor(owner: object, frame: SegmentFrame, members: string, clashes: boolean) {
    this.owner = owner
    this.next = undefined
    this.members = members
    this.clashes = clashes
    this.frame = frame
    this.toAttributes = undefined
    this.toEnd = undefined
    this.unquotedOpen = undefined
    this.unquotedAlone = undefined
    this.uses = 0
  }

  /** From the closing quote of the message up to the first attribute of the call. */
  get quotedOpen(): string {
    if (this.toAttributes !== undefined) return this.toAttributes
    const { quotedOpen } = this.frame
    return (this.toAttributes = this.members === '' ? quotedOpen : flat(quotedOpen + this.members + ','))
  }

  /** From the closing quote of the message up to the end of the line, for a call without attributes. */
  get quotedAlone(): string {
    if (this.toEnd !== undefined) return this.toEnd
    const { quotedOpen, quotedNone, end } = this.frame
    return (this.toEnd = this.members === '' ? quotedNone : flat(quotedOpen + this.members + end))
  }

  /** Counts a use. Returns whether the text occurs in many lines, so that longer texts that contain it are worth caching. */
  recurs(): boolean {
    return this.uses > recurring || ++this.uses > recurring
  }

  /** `quotedOpen` without the quote. */
  get open(): string {
    return (this.unquotedOpen ??= this.quotedOpen.slice(1))
  }

  /** `quotedAlone` without the quote. */
  get alone(): string {
    return (this.unquotedAlone ??= this.quotedAlone.slice(1))
  }
}

/** The number of uses after which text is considered recurring. Child loggers for a request write fewer lines. */
const recurring = 16

/** An encoder that creates the fixed text around rendered members. */
export interface SegmentSource {
  leadOf(bound: BoundState, members: string): CachedSegments
}

/** Returns the rendered bound attributes, which are already redacted, cached for each encoder. The text of the parent is reused. */
export function segmentsOf(bound: BoundState, encoder: SegmentSource): CachedSegments {
  const known = bound.cached(encoder)
  return known === undefined ? bound.keep(encoder.leadOf(bound, membersOf(bound, encoder))) : (known as CachedSegments)
}

function membersOf(bound: BoundState, encoder: SegmentSource): string {
  const { parent, names, values } = bound
  if (names.overrides) return Array.from(bound.attributes, ([key, value]) => memberOf(key, value)).join()
  let text = parent === undefined ? '' : segmentsOf(parent, encoder).members
  const keys = (names.jsonKeys ??= jsonKeysOf(names, text === ''))
  for (let i = 0; i < keys.length; i++) {
    const value = values[i]!
    // Concatenate few and large pieces, because each concatenation costs about 15 ns.
    if (typeof value === 'string') text = text + keys[i]!.textKey + escape(value) + '"'
    else text = text + keys[i]!.key + jsonText(value)
  }
  return text
}

function jsonKeysOf({ own }: BoundNames, areFirst: boolean): readonly JsonKey[] {
  return own.map((name, index) => {
    const key = (areFirst && index === 0 ? '' : ',') + quote(name) + ':'
    return { key: flat(key), textKey: flat(key + '"') }
  })
}

/** Returns an attribute as a JSON member. */
export function memberOf(key: string, value: BoundState['values'][number]): string {
  return quote(key) + ':' + jsonText(value)
}

import type { BoundState } from '../record/bound.ts'
import { plainText } from './plain.ts'
import { flat, quote } from './quote.ts'
import type { ShapeNode } from './shapes.ts'

/** The bound attributes as JSON members, rendered once for each encoder. */
export interface Prefix {
  /** All of them, joined by commas. */
  readonly text: string
  /** The fixed text between the message and the attributes of a call. */
  readonly lead: LineLead
}

/** The fixed text around the bound attributes in usual lines, as far as it does not depend on them. */
export interface LeadFrame {
  /** From the closing quote of the message to the first attribute. */
  readonly quotedOpen: string
  /** From the closing quote of the message to the end of a line without attributes. */
  readonly quotedNone: string
  /** From the last attribute to the end of the line. */
  readonly end: string
}

/**
 * The text of a usual line from the end of the message to the attributes of the call. The texts are created when they are first used:
 * a child logger of a request needs one of them for two lines.
 */
export class LineLead {
  /** Whether a bound attribute has a name that the layout reserves. */
  readonly clashes: boolean
  private readonly frame: LeadFrame
  private readonly members: string
  private toAttributes: string | undefined
  private toEnd: string | undefined
  private unquotedOpen: string | undefined
  private unquotedAlone: string | undefined

  constructor(frame: LeadFrame, members: string, clashes: boolean) {
    this.frame = frame
    this.members = members
    this.clashes = clashes
    this.toAttributes = undefined
    this.toEnd = undefined
    this.unquotedOpen = undefined
    this.unquotedAlone = undefined
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

  /** The same without the quote. */
  get open(): string {
    return (this.unquotedOpen ??= this.quotedOpen.slice(1))
  }

  get alone(): string {
    return (this.unquotedAlone ??= this.quotedAlone.slice(1))
  }
}

/** Creates the fixed text around rendered members. */
export interface LeadSource {
  leadOf(bound: BoundState, members: string): LineLead
}

/** Renders bound attributes. They are redacted already. The text of the parent's is reused. */
export function prefixOf(bound: BoundState, encoder: LeadSource): Prefix {
  const known = bound.renderedBy(encoder)
  if (known !== undefined) return known as Prefix
  const text = membersOf(bound, encoder)
  const prefix: Prefix = { text, lead: encoder.leadOf(bound, text) }
  bound.keep(encoder, prefix)
  return prefix
}

function membersOf(bound: BoundState, encoder: LeadSource): string {
  const { parent, names, values } = bound
  if (names.overrides) return Array.from(bound.attributes, ([key, value]) => memberOf(key, value)).join()
  let text = parent === undefined ? '' : prefixOf(parent, encoder).text
  const keys = (names.jsonKeys ??= names.own.map((name) => quote(name) + ':'))
  for (let i = 0; i < keys.length; i++) {
    const value = values[i]!
    const member = keys[i]! + (typeof value === 'string' ? quote(value) : plainText(value, true))
    text = text === '' ? member : text + ',' + member
  }
  return text
}

function memberOf(key: string, value: BoundState['values'][number]): string {
  return quote(key) + ':' + plainText(value, true)
}

/** Whether the shape that ends at `leaf` has a bound name. Decided once for each shape and set of bound names. */
export function clashes({ names }: BoundState, leaf: ShapeNode): boolean {
  if (leaf.boundSeen === names) return leaf.clashes
  let clash = false
  for (let node: ShapeNode = leaf; node.parent !== undefined; node = node.parent) {
    if (names.has(node.name)) clash = true
  }
  leaf.boundSeen = names
  leaf.clashes = clash
  return clash
}

/** Renders the bound attributes that a call does not set itself. */
export function membersWithout(bound: BoundState, isSet: (key: string) => boolean): string {
  return Array.from(bound.attributes)
    .filter(([key]) => !isSet(key))
    .map(([key, value]) => memberOf(key, value))
    .join()
}

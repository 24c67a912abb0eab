import type { Bound } from '../record/record.ts'
import { plainText } from './plain.ts'
import { flat, quote } from './quote.ts'
import type { ShapeNode } from './shapes.ts'

/** The bound attributes as JSON members, rendered once. */
export interface Prefix {
  /** All of them, joined by commas. */
  readonly text: string
  readonly members: readonly { readonly key: string; readonly text: string }[]
  /** What stands between the message and the attributes of the call in the usual line. */
  readonly lead: LineLead
}

/** The middle of a usual line, from behind the message, in one piece. */
export interface LineLead {
  /** Whether a bound attribute has a name that the layout reserves. */
  readonly clashes: boolean
  /** Up to the first attribute of the call. */
  readonly open: string
  /** Up to the end of the line, for a call without attributes. */
  readonly alone: string
  /** The same with the closing quote of the message in front, where nothing stands between. */
  readonly quotedOpen: string
  readonly quotedAlone: string
}

/**
 * The text of a bound snapshot; it is redacted already. Kept on the snapshot for the encoder that asks, which says what
 * leads to the attributes.
 */
export function prefixOf(bound: Bound, encoder: { leadOf(bound: Bound, prefix: string): LineLead }): Prefix {
  const slot = bound.rendered
  if (slot.by === encoder) return slot.value as Prefix
  const members: { key: string; text: string }[] = []
  for (const [key, value] of bound.attributes) members.push({ key, text: quote(key) + ':' + plainText(value, true) })
  const text = flat(members.map((member) => member.text).join())
  const prefix: Prefix = { text, members, lead: encoder.leadOf(bound, text) }
  slot.by = encoder
  slot.value = prefix
  return prefix
}

/** Whether the shape that ends at `leaf` has a key that is bound as well. Decided once for each shape and snapshot. */
export function clashes(bound: Bound, leaf: ShapeNode): boolean {
  if (leaf.boundSeen === bound) return leaf.clashes
  let clash = false
  for (let node: ShapeNode = leaf; node.parent !== undefined; node = node.parent) {
    if (bound.attributes.has(node.name)) clash = true
  }
  leaf.boundSeen = bound
  leaf.clashes = clash
  return clash
}

/** The prefix without the members that the call says itself. */
export function prefixWithout(prefix: Prefix, said: (key: string) => boolean): string {
  return prefix.members
    .filter(({ key }) => !said(key))
    .map(({ text }) => text)
    .join()
}

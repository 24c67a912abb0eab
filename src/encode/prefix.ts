import type { Bound } from '../record/record.ts'
import { quote } from './quote.ts'
import type { ShapeNode } from './shapes.ts'
import type { TextWalk } from './text-walk.ts'
import { noRules } from './walk.ts'

/** The bound attributes as JSON members, rendered once. */
export interface Prefix {
  /** All of them, joined by commas. */
  readonly text: string
  readonly members: readonly { readonly key: string; readonly text: string }[]
}

/** The text of a bound snapshot; it is redacted already. Kept on the snapshot for the encoder that asks. */
export function prefixOf(bound: Bound, encoder: object, walk: TextWalk): Prefix {
  const slot = bound.rendered
  if (slot.by === encoder) return slot.value as Prefix
  const members: { key: string; text: string }[] = []
  walk.begin()
  for (const [key, value] of bound.attributes) {
    members.push({ key, text: quote(key) + ':' + (walk.value(value, noRules, 1, key) ?? 'null') })
  }
  const prefix = { text: members.map(({ text }) => text).join(), members }
  slot.by = encoder
  slot.value = prefix
  return prefix
}

/** Whether the shape that ends at `leaf` has a key that is bound as well. Decided once for each shape and snapshot. */
export function clashes(bound: Bound, leaf: ShapeNode): boolean {
  if (leaf.boundSeen === bound) return leaf.clashes
  let clash = false
  for (let node: ShapeNode = leaf; node.parent !== undefined; node = node.parent) {
    if (bound.attributes.has(node.key)) clash = true
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

import type { AnyValue } from '../record/any-value.ts'
import type { BoundState } from '../record/bound.ts'
import { UniqueNames } from '../record/unique-names.ts'
import type { ShapeNode } from './walk/shapes.ts'
import type { WalkedRecord } from './walk/walked-record.ts'

/** The attributes of a log call. */
type SetAttributes = Pick<WalkedRecord<unknown>['attributes'], 'leaf' | 'omitted' | 'hasKey'>

/**
 * Returns whether the shape that ends at `leaf` has a key or a written name that is also bound. The result is cached for each shape and
 * set of bound names.
 */
export function clashes({ names }: BoundState, leaf: ShapeNode): boolean {
  if (leaf.boundSeen === names) return leaf.clashes
  let clash = false
  for (let node: ShapeNode = leaf; node.parent !== undefined; node = node.parent) {
    if (names.has(node.key) || names.hasName(node.name)) clash = true
  }
  leaf.boundSeen = names
  leaf.clashes = clash
  return clash
}

/**
 * Returns the bound attributes whose keys the call does not set. A bound attribute whose written name equals the name of an attribute of
 * the call gets a number, because redaction can make the names of different keys equal.
 *
 * @param wellFormed - whether names are written without lone surrogates; replacing them can also make names equal
 */
export function boundAttributesFor(
  { attributes, names }: BoundState,
  call: SetAttributes,
  wellFormed = false,
): [name: string, value: AnyValue][] {
  const unique = new UniqueNames(namesOf(call))
  const inherited: [string, AnyValue][] = []
  for (const [name, value] of attributes) {
    const { key, base } = names.originOf(name)
    if (!call.hasKey(key)) inherited.push([unique.add(wellFormed ? base.toWellFormed() : base), value])
  }
  return inherited
}

function* namesOf({ leaf, omitted }: SetAttributes): Generator<string> {
  for (let node = leaf; node.parent !== undefined; node = node.parent)
    if (omitted?.has(node.key) !== true) yield node.name
}

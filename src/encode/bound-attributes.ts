import type { AnyValue } from '../record/any-value.ts'
import type { BoundState } from '../record/bound.ts'
import { UniqueNames } from '../record/unique-names.ts'
import type { ShapeNode } from './walk/shapes.ts'
import type { WalkedRecord } from './walk/walked-record.ts'

/** The attributes of a log call. */
type CallAttributes = Pick<WalkedRecord<unknown>['attributes'], 'shapeLeaf' | 'omittedKeys' | 'hasKey'>

/**
 * Returns whether the shape that ends at `leaf` has a key or a written name that is also bound. The result is cached for each shape and
 * set of bound names.
 */
export function clashesWithBound({ names }: BoundState, leaf: ShapeNode): boolean {
  if (leaf.checkedBoundNames === names) return leaf.clashesWithBound
  let isClash = false
  for (let node: ShapeNode = leaf; node.parent !== undefined; node = node.parent) {
    if (names.has(node.key) || names.hasName(node.name)) isClash = true
  }
  leaf.checkedBoundNames = names
  leaf.clashesWithBound = isClash
  return isClash
}

/**
 * Returns the bound attributes whose keys the call does not set. A bound attribute whose written name equals the name of an attribute of
 * the call gets a number, because redaction can make the names of different keys equal.
 *
 * @param requiresWellFormed - whether names are written without lone surrogates; replacing them can also make names equal
 */
export function boundAttributesFor(
  { attributes, names }: BoundState,
  callAttributes: CallAttributes,
  requiresWellFormed = false,
): [name: string, value: AnyValue][] {
  const unique = new UniqueNames(namesOf(callAttributes))
  const inherited: [string, AnyValue][] = []
  for (const [name, value] of attributes) {
    const { key, base } = names.keyAndBaseOf(name)
    if (!callAttributes.hasKey(key))
      inherited.push([unique.add(requiresWellFormed ? base.toWellFormed() : base), value])
  }
  return inherited
}

function* namesOf({ shapeLeaf, omittedKeys }: CallAttributes): Generator<string> {
  for (let node = shapeLeaf; node.parent !== undefined; node = node.parent)
    if (omittedKeys?.has(node.key) !== true) yield node.name
}

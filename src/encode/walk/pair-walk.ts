import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { plainJson, type Dialect } from './dialect.ts'
import type { Bytes, Members } from './members.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk, type EntryWriter } from './walk.ts'

/** A value, or an array that is not closed yet, in the forms that two targets build. */
export class Pair {
  left: unknown
  right: unknown

  constructor(left: unknown, right: unknown) {
    this.left = left
    this.right = right
  }
}

/** An object that is not closed yet, and whether its last member is open in each target. */
export class PairObject extends Pair {
  leftInText = false
  rightInText = false
}

/** The target of one side of a pair. Its own limits and rules are not used. */
type Target = Walk<unknown, unknown, unknown>

function pairOf(left: Dialect, right: Dialect): Dialect {
  return { ...plainJson, slot: undefined, pair: [left, right] }
}

/**
 * Builds each value for two targets in one walk, so that user code runs once for both. A target may itself be a pair. An addition to an
 * object is computed for both targets before the object changes, so that a stack overflow cannot leave a member in only one of them.
 */
export class PairWalk extends Walk<unknown, Pair, Pair> {
  private readonly left: Target
  private readonly right: Target
  override readonly hasScalars: boolean = true
  override readonly canInsert: boolean

  constructor(left: Target, right: Target, limits: ResolvedLimits, patterns?: TextPatterns) {
    super(limits, pairOf(left.dialect, right.dialect), patterns)
    this.left = left
    this.right = right
    this.canInsert = left.canInsert || right.canInsert
  }

  override ofString(value: string): Pair {
    return new Pair(this.left.ofString(value), this.right.ofString(value))
  }
  override ofLong(value: string): Pair {
    return new Pair(this.left.ofLong(value), this.right.ofLong(value))
  }
  override ofLines(value: string): Pair {
    return new Pair(this.left.ofLines(value), this.right.ofLines(value))
  }
  override ofNumber(value: number): Pair {
    return new Pair(this.left.ofNumber(value), this.right.ofNumber(value))
  }
  override ofBoolean(value: boolean): Pair {
    return new Pair(this.left.ofBoolean(value), this.right.ofBoolean(value))
  }
  override ofBigInt(value: bigint): Pair {
    return new Pair(this.left.ofBigInt(value), this.right.ofBigInt(value))
  }
  override ofNull(): Pair {
    return new Pair(this.left.ofNull(), this.right.ofNull())
  }
  override ofBytes(value: Bytes): Pair {
    return new Pair(this.left.ofBytes(value), this.right.ofBytes(value))
  }
  override attributes(): Pair {
    return new PairObject(this.left.attributes(), this.right.attributes())
  }
  override object(): Pair {
    return new PairObject(this.left.object(), this.right.object())
  }
  override withMember(object: PairObject, node: ShapeNode, part: Pair): Pair {
    const left = this.left.withMember(object.left, node.left!, part.left, object.leftInText)
    const right = this.right.withMember(object.right, node.right!, part.right, object.rightInText)
    return changed(object, left, right, false, false)
  }
  override withText(object: PairObject, node: ShapeNode, value: string): Pair {
    const left = this.left.withText(object.left, node.left!, value, object.leftInText)
    const right = this.right.withText(object.right, node.right!, value, object.rightInText)
    return changed(object, left, right, true, true)
  }
  override withScalar(object: PairObject, node: ShapeNode, value: number | boolean): Pair {
    const left = scalarMember(this.left, object.left, node.left!, value, object.leftInText)
    const right = scalarMember(this.right, object.right, node.right!, value, object.rightInText)
    return changed(object, left, right, this.left.leavesOpen(value), this.right.leavesOpen(value))
  }
  override settled(object: PairObject): Pair {
    const left = this.left.settled(object.left, object.leftInText)
    const right = this.right.settled(object.right, object.rightInText)
    return changed(object, left, right, false, false)
  }
  override withEntry(object: PairObject, key: string, part: Pair): Pair {
    const left = this.left.withEntry(object.left, key, part.left)
    const right = this.right.withEntry(object.right, key, part.right)
    return changed(object, left, right, false, false)
  }
  override entryWriter(members: Members): EntryWriter<Pair, Pair> {
    const left = this.left.entryWriter(members)
    const right = this.right.entryWriter(members)
    return {
      add: (object: PairObject, key, part) => {
        const nextLeft = left.add(object.left, key, part.left)
        const nextRight = right.add(object.right, key, part.right)
        return changed(object, nextLeft, nextRight, false, false)
      },
    }
  }
  override closeObject(object: PairObject): Pair {
    return new Pair(
      this.left.closeObject(object.left, object.leftInText),
      this.right.closeObject(object.right, object.rightInText),
    )
  }
  override array(): Pair {
    return new Pair(this.left.array(), this.right.array())
  }
  override withItem(array: Pair, part: Pair): Pair {
    const left = this.left.withItem(array.left, part.left)
    const right = this.right.withItem(array.right, part.right)
    array.left = left
    array.right = right
    return array
  }
  override closeArray(array: Pair): Pair {
    return new Pair(this.left.closeArray(array.left), this.right.closeArray(array.right))
  }
  override inserted(part: Pair, json: boolean): string {
    return this.left.canInsert ? this.left.inserted(part.left, json) : this.right.inserted(part.right, json)
  }
}

function changed(object: PairObject, left: unknown, right: unknown, leftInText: boolean, rightInText: boolean): Pair {
  object.left = left
  object.right = right
  object.leftInText = leftInText
  object.rightInText = rightInText
  return object
}

function scalarMember(
  target: Target,
  object: unknown,
  node: ShapeNode,
  value: number | boolean,
  inText: boolean,
): unknown {
  const added = target.hasScalars ? target.withScalar(object, node, value, inText) : undefined
  if (added !== undefined) return added
  const part = typeof value === 'number' ? target.ofNumber(value) : target.ofBoolean(value)
  return target.withMember(object, node, part, inText)
}

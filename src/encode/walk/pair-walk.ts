import type { ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { plainJson, type Dialect } from './dialect.ts'
import type { Bytes, Members } from './members.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk, type EntryWriter } from './walk.ts'

/** A value, or an array that is not closed yet, as each of two targets builds it. */
export class Pair {
  forFirstTarget: unknown
  forSecondTarget: unknown

  constructor(first: unknown, second: unknown) {
    this.forFirstTarget = first
    this.forSecondTarget = second
  }
}

/** An object that is not closed yet, and for each target whether the closing quote of its last member's value is not written yet. */
export class PairObject extends Pair {
  isQuoteOpenForFirstTarget = false
  isQuoteOpenForSecondTarget = false
}

/** The walk of one of the two targets. It builds values and redacts the names of entries; its limits and other rules are not used. */
type TargetWalk = Walk<unknown, unknown, unknown>

function pairDialect(first: Dialect, second: Dialect): Dialect {
  return { ...plainJson, sharedShapesIndex: undefined, dialectsOfPair: [first, second] }
}

/**
 * Builds each value for two targets in one walk, so that user code runs once for both. A target may itself be a pair. An addition to an
 * object is computed for both targets before the object changes, so that a stack overflow cannot leave a member in only one of them.
 */
export class PairWalk extends Walk<unknown, Pair, Pair> {
  private readonly firstWalk: TargetWalk
  private readonly secondWalk: TargetWalk
  override readonly supportsWithScalar: boolean = true
  override readonly canInsertIntoMessages: boolean

  constructor(first: TargetWalk, second: TargetWalk, limits: ResolvedLimits, patterns?: TextPatterns) {
    super(limits, pairDialect(first.dialect, second.dialect), patterns)
    this.firstWalk = first
    this.secondWalk = second
    this.canInsertIntoMessages = first.canInsertIntoMessages || second.canInsertIntoMessages
  }

  override ofString(value: string): Pair {
    return new Pair(this.firstWalk.ofString(value), this.secondWalk.ofString(value))
  }
  override ofLongString(value: string): Pair {
    return new Pair(this.firstWalk.ofLongString(value), this.secondWalk.ofLongString(value))
  }
  override ofMultilineString(value: string): Pair {
    return new Pair(this.firstWalk.ofMultilineString(value), this.secondWalk.ofMultilineString(value))
  }
  override ofNumber(value: number): Pair {
    return new Pair(this.firstWalk.ofNumber(value), this.secondWalk.ofNumber(value))
  }
  override ofBoolean(value: boolean): Pair {
    return new Pair(this.firstWalk.ofBoolean(value), this.secondWalk.ofBoolean(value))
  }
  override ofBigInt(value: bigint): Pair {
    return new Pair(this.firstWalk.ofBigInt(value), this.secondWalk.ofBigInt(value))
  }
  override ofNull(): Pair {
    return new Pair(this.firstWalk.ofNull(), this.secondWalk.ofNull())
  }
  override ofBytes(value: Bytes): Pair {
    return new Pair(this.firstWalk.ofBytes(value), this.secondWalk.ofBytes(value))
  }
  override newAttributes(): Pair {
    return new PairObject(this.firstWalk.newAttributes(), this.secondWalk.newAttributes())
  }
  override newObject(): Pair {
    return new PairObject(this.firstWalk.newObject(), this.secondWalk.newObject())
  }
  override withMember(object: PairObject, node: ShapeNode, builtValue: Pair): Pair {
    const first = this.firstWalk.withMember(
      object.forFirstTarget,
      node.forFirstTarget!,
      builtValue.forFirstTarget,
      object.isQuoteOpenForFirstTarget,
    )
    const second = this.secondWalk.withMember(
      object.forSecondTarget,
      node.forSecondTarget!,
      builtValue.forSecondTarget,
      object.isQuoteOpenForSecondTarget,
    )
    return setBoth(object, first, second, false, false)
  }
  override withText(object: PairObject, node: ShapeNode, value: string): Pair {
    const first = this.firstWalk.withText(
      object.forFirstTarget,
      node.forFirstTarget!,
      value,
      object.isQuoteOpenForFirstTarget,
    )
    const second = this.secondWalk.withText(
      object.forSecondTarget,
      node.forSecondTarget!,
      value,
      object.isQuoteOpenForSecondTarget,
    )
    return setBoth(object, first, second, true, true)
  }
  override withScalar(object: PairObject, node: ShapeNode, value: number | boolean): Pair {
    const first = scalarMember(
      this.firstWalk,
      object.forFirstTarget,
      node.forFirstTarget!,
      value,
      object.isQuoteOpenForFirstTarget,
    )
    const second = scalarMember(
      this.secondWalk,
      object.forSecondTarget,
      node.forSecondTarget!,
      value,
      object.isQuoteOpenForSecondTarget,
    )
    return setBoth(object, first, second, this.firstWalk.leavesQuoteOpen(value), this.secondWalk.leavesQuoteOpen(value))
  }
  override withQuoteClosed(object: PairObject): Pair {
    const first = this.firstWalk.withQuoteClosed(object.forFirstTarget, object.isQuoteOpenForFirstTarget)
    const second = this.secondWalk.withQuoteClosed(object.forSecondTarget, object.isQuoteOpenForSecondTarget)
    return setBoth(object, first, second, false, false)
  }
  override withEntry(object: PairObject, key: string, builtValue: Pair): Pair {
    const first = this.firstWalk.withEntry(object.forFirstTarget, key, builtValue.forFirstTarget)
    const second = this.secondWalk.withEntry(object.forSecondTarget, key, builtValue.forSecondTarget)
    return setBoth(object, first, second, false, false)
  }
  override entryWriter(members: Members): EntryWriter<Pair, Pair> {
    const first = this.firstWalk.entryWriter(members)
    const second = this.secondWalk.entryWriter(members)
    return {
      add: (object: PairObject, key, builtValue) => {
        const nextFirst = first.add(object.forFirstTarget, key, builtValue.forFirstTarget)
        const nextSecond = second.add(object.forSecondTarget, key, builtValue.forSecondTarget)
        return setBoth(object, nextFirst, nextSecond, false, false)
      },
    }
  }
  override closeObject(object: PairObject): Pair {
    return new Pair(
      this.firstWalk.closeObject(object.forFirstTarget, object.isQuoteOpenForFirstTarget),
      this.secondWalk.closeObject(object.forSecondTarget, object.isQuoteOpenForSecondTarget),
    )
  }
  override newArray(): Pair {
    return new Pair(this.firstWalk.newArray(), this.secondWalk.newArray())
  }
  override withItem(array: Pair, builtValue: Pair): Pair {
    const first = this.firstWalk.withItem(array.forFirstTarget, builtValue.forFirstTarget)
    const second = this.secondWalk.withItem(array.forSecondTarget, builtValue.forSecondTarget)
    array.forFirstTarget = first
    array.forSecondTarget = second
    return array
  }
  override closeArray(array: Pair): Pair {
    return new Pair(this.firstWalk.closeArray(array.forFirstTarget), this.secondWalk.closeArray(array.forSecondTarget))
  }
  override textForMessage(builtValue: Pair, asJson: boolean): string {
    return this.firstWalk.canInsertIntoMessages
      ? this.firstWalk.textForMessage(builtValue.forFirstTarget, asJson)
      : this.secondWalk.textForMessage(builtValue.forSecondTarget, asJson)
  }
}

function setBoth(
  object: PairObject,
  first: unknown,
  second: unknown,
  isFirstQuoteOpen: boolean,
  isSecondQuoteOpen: boolean,
): Pair {
  object.forFirstTarget = first
  object.forSecondTarget = second
  object.isQuoteOpenForFirstTarget = isFirstQuoteOpen
  object.isQuoteOpenForSecondTarget = isSecondQuoteOpen
  return object
}

function scalarMember(
  target: TargetWalk,
  object: unknown,
  node: ShapeNode,
  value: number | boolean,
  isQuoteOpen: boolean,
): unknown {
  const added = target.supportsWithScalar ? target.withScalar(object, node, value, isQuoteOpen) : undefined
  if (added !== undefined) return added
  const builtValue = typeof value === 'number' ? target.ofNumber(value) : target.ofBoolean(value)
  return target.withMember(object, node, builtValue, isQuoteOpen)
}

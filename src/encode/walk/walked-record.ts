import type { ExceptionParts } from './exception-parts.ts'
import type { PairObject, Pair } from './pair-walk.ts'
import type { ShapeNode } from './shapes.ts'

/** A walked record in the form that one target has built. It is valid until the next record is walked. */
export interface WalkedRecord<T> {
  readonly attributes: WalkedAttributes<T>
  /** The redacted and rendered message; undefined if the record has no message. */
  readonly message: string | undefined
  /** The body if it is neither text nor absent; undefined if the logger adds a prefix, because the body is then part of `message`. */
  readonly structuredBody: T | undefined
  /** Which attributes came from the exception; undefined if the record has none, or if a rule redacts it as a whole. */
  readonly exceptionParts: ExceptionParts | undefined
}

/** The attributes of a walked record, without the bound ones: those of the call, of the exception and of `enrich`. */
export interface WalkedAttributes<T> {
  /** The object of the attributes, which is not closed yet. */
  readonly builtObject: T
  /** The node of the last member, which identifies the shape. */
  readonly shapeLeaf: ShapeNode
  /** The keys of the shape whose members were not written. */
  readonly omittedKeys: ReadonlySet<string> | undefined
  /** The number of attributes that were dropped because of the limit. */
  readonly droppedCount: number
  /**
   * Returns whether the record has this key, as an attribute or as its exception.
   *
   * @param leaf - the last node of the shape that is searched, if not `shapeLeaf`
   */
  hasKey(key: string, leaf?: ShapeNode): boolean
}

/** The member of a `Pair` or a `ShapeNode` that belongs to one of the two targets. */
type TargetMember = 'forFirstTarget' | 'forSecondTarget'

/** A record that was walked by a `PairWalk`, as one of its two targets has built it. */
export class WalkedHalf implements WalkedRecord<unknown> {
  readonly attributes: WalkedAttributes<unknown>
  private readonly whole: WalkedRecord<unknown>
  private readonly targetMember: TargetMember

  constructor(whole: WalkedRecord<unknown>, targetMember: TargetMember) {
    this.attributes = new HalfOfAttributes(whole.attributes, targetMember)
    this.whole = whole
    this.targetMember = targetMember
  }

  get message(): string | undefined {
    return this.whole.message
  }
  get structuredBody(): unknown {
    const { structuredBody } = this.whole
    return structuredBody === undefined ? undefined : (structuredBody as Pair)[this.targetMember]
  }
  get exceptionParts(): ExceptionParts | undefined {
    return this.whole.exceptionParts
  }
}

class HalfOfAttributes implements WalkedAttributes<unknown> {
  private readonly whole: WalkedAttributes<unknown>
  private readonly targetMember: TargetMember

  constructor(whole: WalkedAttributes<unknown>, targetMember: TargetMember) {
    this.whole = whole
    this.targetMember = targetMember
  }

  get builtObject(): unknown {
    return (this.whole.builtObject as PairObject)[this.targetMember]
  }
  get shapeLeaf(): ShapeNode {
    return this.whole.shapeLeaf[this.targetMember]!
  }
  get omittedKeys(): ReadonlySet<string> | undefined {
    return this.whole.omittedKeys
  }
  get droppedCount(): number {
    return this.whole.droppedCount
  }
  hasKey(key: string, leaf: ShapeNode = this.shapeLeaf): boolean {
    return this.whole.hasKey(key, leaf)
  }
}

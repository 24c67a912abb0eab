import type { ExceptionParts } from './exception-parts.ts'
import type { PairObject, Pair } from './pair-walk.ts'
import type { ShapeNode } from './shapes.ts'

/** A walked record in the form that one target has built. It is valid until the next record is walked. */
export interface WalkedRecord<T> {
  readonly attributes: WalkedAttributes<T>
  /** The redacted and rendered message; undefined if the record has none. */
  readonly message: string | undefined
  /** The body if it is neither text nor absent. */
  readonly structured: T | undefined
  /** Which attributes came from the exception; undefined if the record has none. */
  readonly exceptionParts: ExceptionParts | undefined
}

/** The attributes of the call in a walked record. */
export interface WalkedAttributes<T> {
  /** The object of the attributes, which is not closed yet. */
  readonly object: T
  /** The node of the last member, which identifies the shape. */
  readonly leaf: ShapeNode
  /** The keys of the shape whose members were not written. */
  readonly omitted: ReadonlySet<string> | undefined
  /** The number of attributes over the limit. */
  readonly dropped: number
  /** Returns whether the record has this key, as an attribute or as its exception. */
  hasKey(key: string, leaf?: ShapeNode): boolean
}

type Side = 'left' | 'right'

/** One side of a record that was walked by a `PairWalk`. */
export class WalkedHalf implements WalkedRecord<unknown> {
  readonly attributes: WalkedAttributes<unknown>
  private readonly whole: WalkedRecord<unknown>
  private readonly side: Side

  constructor(whole: WalkedRecord<unknown>, side: Side) {
    this.attributes = new HalfOfAttributes(whole.attributes, side)
    this.whole = whole
    this.side = side
  }

  get message(): string | undefined {
    return this.whole.message
  }
  get structured(): unknown {
    const { structured } = this.whole
    return structured === undefined ? undefined : (structured as Pair)[this.side]
  }
  get exceptionParts(): ExceptionParts | undefined {
    return this.whole.exceptionParts
  }
}

class HalfOfAttributes implements WalkedAttributes<unknown> {
  private readonly whole: WalkedAttributes<unknown>
  private readonly side: Side

  constructor(whole: WalkedAttributes<unknown>, side: Side) {
    this.whole = whole
    this.side = side
  }

  get object(): unknown {
    return (this.whole.object as PairObject)[this.side]
  }
  get leaf(): ShapeNode {
    return this.whole.leaf[this.side]!
  }
  get omitted(): ReadonlySet<string> | undefined {
    return this.whole.omitted
  }
  get dropped(): number {
    return this.whole.dropped
  }
  hasKey(key: string, leaf: ShapeNode = this.leaf): boolean {
    return this.whole.hasKey(key, leaf)
  }
}

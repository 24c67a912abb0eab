import type { ExceptionParts } from './exception-parts.ts'
import type { PairObject, Pair } from './pair-walk.ts'
import type { ShapeNode } from './shapes.ts'

/** A record that was walked, as one target has built it. It is valid until the next record is walked. */
export interface WalkedRecord<T> {
  readonly attributes: WalkedAttributes<T>
  /** The message, redacted and rendered; undefined when there is none. */
  readonly message: string | undefined
  /** The body where it is neither text nor absent. */
  readonly structured: T | undefined
  /** Which attributes came from the exception; undefined where the record has none. */
  readonly exceptionParts: ExceptionParts | undefined
}

/** The attributes of the call in a record that was walked. */
export interface WalkedAttributes<T> {
  /** The attributes, still open. */
  readonly object: T
  /** The shape: the last member's node. */
  readonly leaf: ShapeNode
  /** Members of the shape that were not written. */
  readonly omitted: ReadonlySet<string> | undefined
  /** How many attributes were over the limit. */
  readonly dropped: number
  /** Whether the record has this name, as an attribute or as its exception. */
  says(key: string, leaf?: ShapeNode): boolean
}

type Side = 'left' | 'right'

/** One side of a record that a `PairWalk` has walked. */
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
  says(key: string, leaf: ShapeNode = this.leaf): boolean {
    return this.whole.says(key, leaf)
  }
}

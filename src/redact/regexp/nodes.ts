/** A node of a parsed regular expression. */
export type RegExpNode =
  | CharacterNode
  | { readonly kind: 'sequence' | 'alternatives'; readonly items: readonly RegExpNode[] }
  | RepetitionNode
  | GroupNode
  | LookaroundNode
  | { readonly kind: 'assertion'; readonly symbol: '^' | '$' | '\\b' | '\\B'; readonly flags: string }
  /** A reference to the group with this name or number. */
  | { readonly kind: 'backreference'; readonly group: string; readonly flags: string; readonly position: number }

/** A node that matches one character. A class that also matches strings is represented by alternatives. */
export interface CharacterNode {
  readonly kind: 'character'
  /** The source of the node, which is itself an expression. */
  readonly source: string
  /** The flags that apply to it: `i`, `s`, `u` and `v`. */
  readonly flags: string
  /** Offset in the pattern, in UTF-16 units. */
  readonly position: number
}

/** A quantified node. */
export interface RepetitionNode {
  readonly kind: 'repetition'
  readonly body: RegExpNode
  /** The minimum number of repetitions. */
  readonly min: number
  /** The maximum number of repetitions, or Infinity. */
  readonly max: number
  readonly isLazy: boolean
  /** Offset of the quantifier. */
  readonly position: number
}

/** A capturing group. */
export interface GroupNode {
  readonly kind: 'group'
  readonly body: RegExpNode
  /** Its number, from 1. */
  readonly index: number
  readonly name: string | undefined
}

/** A lookahead or lookbehind. */
export interface LookaroundNode {
  readonly kind: 'lookaround'
  readonly body: RegExpNode
  readonly isBehind: boolean
  readonly isNegated: boolean
}

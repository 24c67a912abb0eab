/** A node of a parsed regular expression. */
export type RegExpNode =
  | CharacterNode
  | { readonly kind: 'sequence' | 'alternatives'; readonly items: readonly RegExpNode[] }
  | RepetitionNode
  | GroupNode
  | LookaroundNode
  | { readonly kind: 'assertion'; readonly sign: '^' | '$' | '\\b' | '\\B'; readonly flags: string }
  | { readonly kind: 'backreference'; readonly to: string; readonly flags: string; readonly position: number }

/** A node that matches one character. A class with strings is represented by alternatives. */
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
  readonly least: number
  readonly most: number
  readonly isLazy: boolean
  /** Offset of the quantifier. */
  readonly position: number
}

/** A capturing group. */
export interface GroupNode {
  readonly kind: 'group'
  readonly body: RegExpNode
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

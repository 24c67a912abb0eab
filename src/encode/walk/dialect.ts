import { quote } from '../json/quote.ts'

/** How a target writes the members of an object: the text before each member, and the text that closes an open string. */
export interface Dialect {
  /** The cache slot of the dialect's shapes; undefined if each walk has its own shapes. */
  readonly slot: number | undefined
  /** The text before the first member of a nested object. */
  readonly opening: string
  /** Returns the text before a member's value. */
  member(key: string): string
  /** The text between two members. */
  readonly comma: string
  /** The text that begins a string value. */
  readonly text: string
  /** The text that closes a string value and its member. */
  readonly closeText: string
  /** Whether names must be well-formed. If so, keys that differ only in lone surrogates get different names. */
  readonly wellFormed: boolean
  /** The dialects of the two targets of a `PairWalk`; undefined for a single target. */
  readonly pair: readonly [Dialect, Dialect] | undefined
}

/** `{"key":"text","key":1}` */
export const plainJson: Dialect = {
  slot: 0,
  opening: '{',
  member: (key) => quote(key) + ':',
  comma: ',',
  text: '"',
  closeText: '"',
  wellFormed: false,
  pair: undefined,
}

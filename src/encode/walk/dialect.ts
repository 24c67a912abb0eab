import { quote } from '../json/quote.ts'

/** How a target writes the members of an object: what leads to them, and what closes a string that was left open. */
export interface Dialect {
  /** Where its shapes are kept beside those of the other dialects; undefined: each walk has its own. */
  readonly slot: number | undefined
  /** What stands in front of the first member of an object that is a value. */
  readonly opening: string
  /** What leads to a member's value. */
  member(key: string): string
  /** What stands between two members. */
  readonly comma: string
  /** What a string value begins with. */
  readonly text: string
  /** What closes a string value, and its member. */
  readonly closeText: string
  /** Whether names have to be well-formed: keys that differ in halves of surrogate pairs alone need other names there. */
  readonly wellFormed: boolean
  /** The dialects of the two targets of a `PairWalk`; undefined where there is one target. */
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

import { quote } from '../json/quote.ts'

/** The syntax in which a target writes the members of an object: the text before each member, and the text around a string value. */
export interface Dialect {
  /** The index in `RedactState.walkCache` of the shapes that all walks of the dialect share; undefined if each walk has its own shapes. */
  readonly sharedShapesIndex: number | undefined
  /** The text before the first member of a nested object. */
  readonly opening: string
  /** Returns the text before a member's value. */
  memberPrefix(key: string): string
  /** The text between two members. */
  readonly comma: string
  /** The text that begins a string value. */
  readonly openText: string
  /** The closing quote of a string value, with the text that closes its member if the format has one. */
  readonly closeText: string
  /** Whether names must be well-formed. If so, keys that differ only in lone surrogates get different names. */
  readonly requiresWellFormed: boolean
  /** The dialects of the two targets of a `PairWalk`; undefined for a single target. */
  readonly dialectsOfPair: readonly [Dialect, Dialect] | undefined
}

/** JSON objects: `{"key":"text","key":1}`. */
export const plainJson: Dialect = {
  sharedShapesIndex: 0,
  opening: '{',
  memberPrefix: (key) => quote(key) + ':',
  comma: ',',
  openText: '"',
  closeText: '"',
  requiresWellFormed: false,
  dialectsOfPair: undefined,
}

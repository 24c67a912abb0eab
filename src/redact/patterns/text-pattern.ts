/**
 * The `minTextLength` of most anchors: the length of `pw=a`. Anchors of longer matches have it too, because anchors with the same minimum
 * are searched together.
 */
export const usualMinTextLength = 4
/** The `minTextLength` of the anchors and presets of tokens: the length of the shortest, those of Slack, such as `xoxb-0123456789`. */
export const minTextLengthForToken = 15

/** A part of a text that is redacted. Positions are in UTF-16 units. */
export interface Match {
  readonly from: number
  /** The position after its last unit. */
  readonly to: number
  readonly censor: string
}

/** A text that is searched. */
export interface SearchedText {
  readonly text: string
  /** Only matches that begin before this position are found. */
  readonly startLimit: number
  /** Whether the text is only the beginning of the original text. */
  readonly isCut: boolean
}

/** A pattern that is searched in all text. */
export interface TextPattern {
  /** A text with fewer UTF-16 units contains no match. */
  readonly minTextLength: number
  /**
   * How many UTF-16 units after the start of a match suffice to decide that it is one. If only the beginning of a text is searched, that
   * many more units are read.
   */
  readonly lookaheadLength: number
  /** A text without any of these anchors contains no match. Empty for a pattern with `expression`. */
  readonly anchors: readonly Anchor[]
  /** A text that this expression does not match contains no match. Undefined for a pattern with anchors. */
  readonly expression: RegExp | undefined
  /** Adds the matches to `matches`. The time is linear in the length of the text, for any text. Never throws. */
  find(text: SearchedText, matches: Match[]): void
}

/**
 * A character with a certain context that occurs in every match, or shortly before it, such as the `=` in `password=x`. The fewer of these
 * characters a typical text contains, the less time the search for anchors takes, because an expression that begins with them skips all
 * other text (measured: 30 ns for 32 letters, compared with 90 ns for an expression of words such as `eyJ|Bearer`).
 */
export interface Anchor {
  /** The characters, in the syntax of a character class. */
  readonly characters: string
  /** The source of an expression that matches after one of them. Lookbehinds in it match the character and the text before. */
  readonly context: string
  /**
   * Texts with fewer UTF-16 units are not searched for the anchor. Anchors with the same minimum are searched together, in one expression.
   */
  readonly minTextLength: number
}

/** One of the searches of a preset. It runs only if a text contains its anchor. */
export interface PatternFinder {
  readonly anchor: Anchor
  /**
   * Passes the matches in a text that contains the anchor to `addMatch`, which ignores those that begin at `startLimit` or later. Otherwise
   * the same as `TextPattern.find`.
   */
  find(text: SearchedText, addMatch: (from: number, to: number) => void): void
}

/** A built-in pattern. */
export interface PatternPreset extends Pick<TextPattern, 'minTextLength' | 'lookaheadLength'> {
  readonly finders: readonly PatternFinder[]
}

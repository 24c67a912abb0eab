/** The minimum length of a text, in UTF-16 units, that is checked for anchors of short matches. */
export const shortText = 6
/** The minimum length of a text, in UTF-16 units, that is checked for anchors of tokens, which are longer. */
export const tokenText = 20

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
  /** Matches that begin at or after this position are ignored. */
  readonly end: number
  /** Whether the text is only the beginning of the original text. */
  readonly isCut: boolean
}

/** A pattern that is searched in all text. */
export interface TextPattern {
  /** A text with fewer UTF-16 units contains no match. */
  readonly least: number
  /**
   * The number of UTF-16 units from its start that suffice to decide whether there is a match. If a text is cut, that many more are read.
   */
  readonly longest: number
  /** A text without any of these anchors contains no match. */
  readonly anchors: readonly Anchor[]
  /** For a pattern without anchors: a text that this expression does not match contains no match. */
  readonly expression: RegExp | undefined
  /** Adds the matches to `found`. The time is linear in the length of the text, for any text. Never throws. */
  find(text: SearchedText, found: Match[]): void
}

/**
 * A character with a certain context that occurs in every match, or directly before it. The fewer of these characters a typical text
 * contains, the faster it is ruled out, because an expression that begins with them skips everything else (measured: 30 ns for 32 letters,
 * compared with 90 for an expression of words such as `eyJ|Bearer`).
 */
export interface Anchor {
  /** The characters, in the syntax of a character class. */
  readonly at: string
  /** The source of an expression that matches after one of them. */
  readonly where: string
  /** Shorter texts are not checked. Anchors with the same length are checked together. */
  readonly least: number
}

/** One of the searches of a preset. It runs only if a text contains its anchor. */
export interface PatternFinder {
  readonly anchor: Anchor
  /** Passes the matches in a text that contains the anchor to `take`. Otherwise the same as `TextPattern.find`. */
  find(text: SearchedText, take: (from: number, to: number) => void): void
}

/** A built-in pattern. */
export interface PatternPreset extends Pick<TextPattern, 'least' | 'longest'> {
  readonly finders: readonly PatternFinder[]
}

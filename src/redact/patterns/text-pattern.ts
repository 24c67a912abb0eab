/** Texts are asked from this length on, in UTF-16 units, for what is not longer itself. */
export const shortText = 6
/** The same for tokens, which are. */
export const tokenText = 20

/** Part of a text that must not leave, in UTF-16 units. */
export interface Found {
  readonly from: number
  /** Behind its last unit. */
  readonly to: number
  readonly censor: string
}

/** A text in which something is looked for. */
export interface Searched {
  readonly text: string
  /** What begins here or later is not wanted. */
  readonly end: number
  /** The text goes on behind its end. */
  readonly isCut: boolean
}

/** What is looked for in every text. */
export interface TextPattern {
  /** A text of fewer UTF-16 units holds none of it. */
  readonly least: number
  /** It is decided by so many units from its beginning whether a text holds one: where it is cut, so many more are read. */
  readonly longest: number
  /** A text that has none of these holds none of it. */
  readonly anchors: readonly Anchor[]
  /** The same for a pattern without anchors: a text that this does not match. */
  readonly expression: RegExp | undefined
  /** Adds what it finds. It takes time in proportion to the length of the text, whatever stands in it. Never throws. */
  find(text: Searched, found: Found[]): void
}

/**
 * What stands in each part, or right before it: one of some characters with the right surroundings. The fewer of these a usual
 * text has, the faster it is passed: an expression that begins with them looks at nothing else (measured: 30 ns for 32 letters,
 * where one of words such as `eyJ|Bearer` takes 90).
 */
export interface Anchor {
  /** Characters as in a class of an expression. */
  readonly at: string
  /** The source of an expression that matches behind one of them. */
  readonly where: string
  /** Shorter texts are not asked. Anchors of one length are asked together. */
  readonly least: number
}

/** One kind of what a preset looks for. It looks at a text only where that may begin. */
export interface PatternFinder {
  readonly anchor: Anchor
  /** The same as `TextPattern.find`, for a text that has an anchor. */
  find(text: Searched, take: (from: number, to: number) => void): void
}

/** A pattern of this package. */
export interface PatternPreset extends Pick<TextPattern, 'least' | 'longest'> {
  readonly finders: readonly PatternFinder[]
}

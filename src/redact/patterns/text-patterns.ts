import { patternPresets, type PatternPresetName } from './presets.ts'
import type { Anchor, Match, TextPattern } from './text-pattern.ts'

/** Creates the pattern of a preset with the replacement of its matches. */
export function createPresetPattern(name: PatternPresetName, censor: string): TextPattern {
  const { minTextLength, lookaheadLength, finders } = patternPresets[name]
  const anchoredFinders = finders.map(({ anchor, find }) => ({ anchorTest: anchorExpression([anchor]), find }))
  return {
    minTextLength,
    lookaheadLength,
    anchors: finders.map(({ anchor }) => anchor),
    expression: undefined,
    find(searched, matches) {
      const addMatch = (from: number, to: number) =>
        void (from < searched.startLimit && matches.push({ from, to, censor }))
      for (const { anchorTest, find } of anchoredFinders) if (anchorTest.test(searched.text)) find(searched, addMatch)
    },
  }
}

/**
 * A fast check before a search. A text that is shorter, or that the expression does not match, contains no match of the gate's patterns.
 */
interface Gate {
  readonly minTextLength: number
  readonly expression: RegExp
}

/** Returns an expression that matches a text with at least one of the anchors. */
function anchorExpression(anchors: readonly Anchor[]): RegExp {
  const characters = anchors.map((anchor) => anchor.characters).join('')
  return new RegExp(`[${characters}](?:${anchors.map(({ context }) => context).join('|')})`)
}

const latin1 = new TextDecoder('latin1')
const cacheSlotCount = 256
const maxCachedLength = 256

/** The patterns of a logger. */
export class TextPatterns {
  readonly all: readonly TextPattern[]
  /** Texts with fewer UTF-16 units contain no match. */
  readonly minTextLength: number
  /** How many UTF-16 units after a position suffice to decide whether a match begins there. */
  readonly lookaheadLength: number
  private readonly gates: readonly Gate[]
  /**
   * A direct-mapped cache of texts without matches, indexed by the length and two units of a text. Messages and most values recur
   * (measured: 10 ns instead of 30 to 400).
   */
  private readonly textsWithoutMatch: string[] = Array.from({ length: cacheSlotCount }, () => '')

  constructor(all: readonly TextPattern[]) {
    this.all = all
    this.minTextLength = Math.min(...all.map(({ minTextLength }) => minTextLength))
    this.lookaheadLength = Math.max(...all.map(({ lookaheadLength }) => lookaheadLength))
    const anchorsByLength = Map.groupBy(
      all.flatMap(({ anchors }) => anchors),
      ({ minTextLength }) => minTextLength,
    )
    this.gates = [
      ...Array.from(anchorsByLength, ([minTextLength, anchors]) => ({
        minTextLength,
        expression: anchorExpression(anchors),
      })),
      ...all.flatMap(({ minTextLength, expression }) =>
        expression === undefined ? [] : [{ minTextLength, expression }],
      ),
    ]
  }

  /** Returns the text with matches redacted; the text itself if there are none. */
  redact(text: string): string {
    const { length } = text
    if (length < this.minTextLength) return text
    const slot =
      (length ^ (text.charCodeAt(length >> 1) << 3) ^ (text.charCodeAt(length - 1) << 1)) & (cacheSlotCount - 1)
    if (this.textsWithoutMatch[slot] === text) return text
    const result = this.mayMatch(text) ? this.redactBeginning(text, length) : text
    if (result === text && length <= maxCachedLength) this.textsWithoutMatch[slot] = text
    return result
  }

  /** Returns whether any pattern matches bytes, decoded as latin1. */
  matchesBytes(view: ArrayBufferView): boolean {
    if (view.byteLength < this.minTextLength) return false
    const text = latin1.decode(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
    return this.redact(text) !== text
  }

  /** Returns whether a text may contain a match, so that it must be searched. */
  private mayMatch(text: string): boolean {
    try {
      for (const { minTextLength, expression } of this.gates)
        if (text.length >= minTextLength && expression.test(text)) return true
      return false
    } catch {
      return true // the engine's stack overflowed; the search handles that
    }
  }

  /**
   * Returns the first `length` units of the text with matches redacted. A match that begins there and ends later is redacted as a whole.
   * The time does not depend on the length of the remaining text.
   */
  redactBeginning(text: string, length: number): string {
    // Search a copy of the beginning: in the original text, each search would read the rest of the text too.
    const beginning = text.length > length + this.lookaheadLength ? text.slice(0, length + this.lookaheadLength) : text
    const matches: Match[] = []
    const searched = { text: beginning, startLimit: length, isCut: beginning !== text }
    for (const pattern of this.all) pattern.find(searched, matches)
    if (matches.length === 0) return length < text.length ? text.slice(0, length) : text
    return replaceMatches(text, length, matches)
  }
}

/** Returns the first `length` units with matches replaced. Overlapping matches are merged, with the replacement of the first. */
function replaceMatches(text: string, length: number, matches: Match[]): string {
  let result = ''
  let copiedTo = 0
  for (const { from, to, censor } of matches.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
    if (from >= copiedTo) result += text.slice(copiedTo, from) + censor
    if (to > copiedTo) copiedTo = to
  }
  return copiedTo < length ? result + text.slice(copiedTo, length) : result
}

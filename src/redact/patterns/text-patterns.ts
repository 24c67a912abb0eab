import { patternPresets, type PatternPresetName } from './presets.ts'
import type { Anchor, Found, TextPattern } from './text-pattern.ts'

/** A preset with what stands in place of what it finds. */
export function presetPattern(name: PatternPresetName, censor: string): TextPattern {
  const { least, longest, finders } = patternPresets[name]
  const guarded = finders.map(({ anchor, find }) => ({ gate: gateOf([anchor]), find }))
  return {
    least,
    longest,
    anchors: finders.map(({ anchor }) => anchor),
    expression: undefined,
    find(searched, found) {
      const take = (from: number, to: number) => void (from < searched.end && found.push({ from, to, censor }))
      for (const { gate, find } of guarded) if (gate.test(searched.text)) find(searched, take)
    },
  }
}

/** A text of `least` units or more that this does not match holds nothing of some patterns. */
interface Gate {
  readonly least: number
  readonly expression: RegExp
}

function gateOf(anchors: readonly Anchor[]): RegExp {
  const at = anchors.map((anchor) => anchor.at).join('')
  return new RegExp(`[${at}](?:${anchors.map(({ where }) => where).join('|')})`)
}

const latin1 = new TextDecoder('latin1')
const places = 256
const longestKnown = 256

/** The patterns of a logger. */
export class TextPatterns {
  readonly all: readonly TextPattern[]
  /** Texts of fewer UTF-16 units are as they should be. */
  readonly least: number
  /** It is decided within so many UTF-16 units whether something begins at a place. */
  readonly longest: number
  private readonly gates: readonly Gate[]
  /**
   * Texts that were as they should be, each in the one place that its length and two of its units choose: messages and most
   * values come again (measured: 10 ns in place of 30 to 400).
   */
  private readonly known: string[] = Array.from({ length: places }, () => '')

  constructor(all: readonly TextPattern[]) {
    this.all = all
    this.least = Math.min(...all.map(({ least }) => least))
    this.longest = Math.max(...all.map(({ longest }) => longest))
    const together = Map.groupBy(
      all.flatMap(({ anchors }) => anchors),
      ({ least }) => least,
    )
    this.gates = [
      ...Array.from(together, ([least, anchors]) => ({ least, expression: gateOf(anchors) })),
      ...all.flatMap(({ least, expression }) => (expression === undefined ? [] : [{ least, expression }])),
    ]
  }

  /** The text without what they find; the same text where they find nothing. */
  redacted(text: string): string {
    const { length } = text
    if (length < this.least) return text
    const place = (length ^ (text.charCodeAt(length >> 1) << 3) ^ (text.charCodeAt(length - 1) << 1)) & (places - 1)
    if (this.known[place] === text) return text
    const redacted = this.mayHold(text) ? this.upTo(text, length) : text
    if (redacted === text && length <= longestKnown) this.known[place] = text
    return redacted
  }

  /** Whether they find anything in bytes, read as ASCII. */
  findIn(view: ArrayBufferView): boolean {
    if (view.byteLength < this.least) return false
    const text = latin1.decode(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
    return this.redacted(text) !== text
  }

  private mayHold(text: string): boolean {
    try {
      for (const { least, expression } of this.gates) if (text.length >= least && expression.test(text)) return true
      return false
    } catch {
      return true // the engine's stack is exhausted
    }
  }

  /**
   * The same of the first `length` units. What begins among them and ends behind is found whole, in time that does not depend
   * on how much comes behind.
   */
  upTo(text: string, length: number): string {
    // A piece is another text: without what is left of it, the rest of a text that is to be cut would be read each time.
    const seen = text.length > length + this.longest ? text.slice(0, length + this.longest) : text
    const found: Found[] = []
    const searched = { text: seen, end: length, isCut: seen !== text }
    for (const pattern of this.all) pattern.find(searched, found)
    if (found.length === 0) return length < text.length ? text.slice(0, length) : text
    return without(text, length, found)
  }
}

/** Parts that overlap become one, in the words of the first. */
function without(text: string, length: number, found: Found[]): string {
  let kept = ''
  let done = 0
  for (const { from, to, censor } of found.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
    if (from >= done) kept += text.slice(done, from) + censor
    if (to > done) done = to
  }
  return done < length ? kept + text.slice(done, length) : kept
}

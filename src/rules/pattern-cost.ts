/** How often a regular expression may have to try on one text. */
export interface PatternCost {
  /** The most ways in which it can go through a text of the given length; Infinity where they grow with a power of it. */
  readonly ways: number
  /** The offset of the quantifier that made them more than `most`, in UTF-16 units; undefined where none did. */
  readonly position: number | undefined
}

/**
 * Bounds the ways in which JavaScript's engine, which goes back where it fails, can go through `length` characters: one for each
 * count of each quantifier, each alternative, and each place to start at. It knows nothing of what the parts match, so that it
 * counts too many rather than too few: `(?:a|b)+` is refused as `(?:a|a)+` is, and `[ab]+` is not.
 *
 * @param most - what is more than this has a position
 */
export function patternCost({ source, flags }: RegExp, length: number, most: number): PatternCost {
  return new CostReader(source, flags, length, most).read()
}

const counted = /\{(\d+)(?:,(\d*))?\}/y

class CostReader {
  private readonly source: string
  private readonly length: number
  private readonly most: number
  private readonly isAnchored: boolean
  private readonly hasNestedClasses: boolean
  private at = 0
  private position: number | undefined

  constructor(source: string, flags: string, length: number, most: number) {
    this.source = source
    this.length = length
    this.most = most
    this.isAnchored = flags.includes('y')
    this.hasNestedClasses = flags.includes('v')
  }

  read(): PatternCost {
    const ways = this.alternatives(true)
    this.note(ways, 0)
    return { ways, position: this.position }
  }

  private alternatives(isOutermost: boolean): number {
    let ways = 0
    for (;;) {
      const places = isOutermost && !this.isAnchored && this.source[this.at] !== '^' ? this.length : 1
      ways += this.sequence(isOutermost, places)
      if (this.source[this.at] !== '|') return ways
      this.at++
    }
  }

  private sequence(isOutermost: boolean, places: number): number {
    let ways = places
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const body = this.item()
      const quantifier = this.at
      const [least, largest] = this.counts()
      // At the very end nothing can fail any more that would have it try another count.
      const isLast = isOutermost && (this.at === this.source.length || this.source[this.at] === '|')
      const counts = isLast && body === 1 ? 1 : Math.min(largest, this.length) - Math.min(least, this.length) + 1
      ways *= body === 1 ? counts : counts * body ** Math.min(largest, this.length)
      this.note(ways, quantifier)
    }
    return ways
  }

  /** The ways of one character, class, assertion or group. */
  private item(): number {
    const first = this.source[this.at++]
    if (first === '\\') this.at++
    else if (first === '[') return this.characterClass()
    else if (first === '(') {
      const kind = /\?(?:<?[=!]|:|<[^>]*>|[-a-z]+:)/y
      kind.lastIndex = this.at
      if (kind.test(this.source)) this.at = kind.lastIndex
      const ways = this.alternatives(false)
      this.at++
      return ways
    }
    return 1
  }

  private characterClass(): number {
    let depth = 1
    let ways = 1
    for (; depth > 0 && this.at < this.source.length; this.at++) {
      const character = this.source[this.at]
      if (character === ']') depth--
      else if (character === '[' && this.hasNestedClasses) depth++
      else if (character === '\\') {
        // Strings in a class are alternatives.
        if (this.hasNestedClasses && /[qp]/i.test(this.source[this.at + 1] ?? '')) ways = 2
        this.at++
      }
    }
    return ways
  }

  private counts(): readonly [least: number, largest: number] {
    const sign = this.source[this.at]
    let counts: readonly [number, number] = [1, 1]
    counted.lastIndex = this.at
    const [text, least, largest] = counted.exec(this.source) ?? []
    if (text !== undefined) {
      const from = Number(least)
      counts = [from, largest === undefined ? from : largest === '' ? Infinity : Number(largest)]
      this.at += text.length
    } else if (sign === '*' || sign === '+' || sign === '?') {
      counts = [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity]
      this.at++
    } else return counts
    if (this.source[this.at] === '?') this.at++
    return counts
  }

  private note(ways: number, position: number): void {
    if (ways > this.most) this.position ??= position
  }
}

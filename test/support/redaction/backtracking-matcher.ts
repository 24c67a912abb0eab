import { parseRegExp } from '../../../src/redact/regexp/syntax.ts'
import type { RegExpNode, RepetitionNode } from '../../../src/redact/regexp/nodes.ts'

/** The matches of an expression and the number of steps. */
export interface CountedMatches {
  /** The start and end of each match. */
  readonly matches: readonly (readonly [from: number, to: number])[]
  /** Attempts to match one character or assertion, and rejected empty iterations. */
  readonly steps: number
}

/** Is thrown when a search exceeds its maximum number of steps. */
export class TooManySteps extends Error {}

/** The captures by group number. */
type Captures = Readonly<Record<number, readonly [from: number, to: number] | undefined>>
/** Matches the rest of the expression. Returns undefined if it does not match. */
type Continue = (at: number, captures: Captures) => Found | undefined
interface Found {
  readonly at: number
  readonly captures: Captures
}

/**
 * Finds all matches of an expression by backtracking as ECMA-262 section 22.2.2 describes it, and counts the steps. Slow, and the
 * same on every machine.
 */
export function countedMatches(expression: RegExp, text: string, most = Infinity): CountedMatches {
  return new Matcher(expression, text, most).all()
}

class Matcher {
  private readonly root: RegExpNode
  private readonly text: string
  private readonly isUnicode: boolean
  private readonly most: number
  private readonly characters = new Map<string, RegExp>()
  private steps = 0

  constructor(expression: RegExp, text: string, most: number) {
    this.root = parseRegExp(expression)
    this.text = text
    this.most = most
    this.isUnicode = /[uv]/.test(expression.flags)
  }

  all(): CountedMatches {
    const matches: [number, number][] = []
    for (let from = 0; from <= this.text.length;) {
      const found = this.match(this.root, from, {}, 1, (at, captures) => ({ at, captures }))
      if (found !== undefined) matches.push([from, found.at])
      from = found === undefined || found.at === from ? from + Math.max(1, this.width(from, 1)) : found.at
    }
    return { matches, steps: this.steps }
  }

  /** @param direction - 1, or -1 inside of a lookbehind */
  private match(
    node: RegExpNode,
    at: number,
    captures: Captures,
    direction: 1 | -1,
    next: Continue,
  ): Found | undefined {
    switch (node.kind) {
      case 'character': {
        this.step()
        const end = at + direction * this.width(at, direction)
        const text = this.text.slice(Math.min(at, end), Math.max(at, end))
        return text !== '' && this.isMatched(node.source, node.flags, text) ? next(end, captures) : undefined
      }
      case 'sequence': {
        const items = direction === 1 ? node.items : node.items.toReversed()
        const from = (index: number): Continue =>
          index === items.length
            ? next
            : (end, inner) => this.match(items[index]!, end, inner, direction, from(index + 1))
        return from(0)(at, captures)
      }
      case 'alternatives':
        for (const item of node.items) {
          const found = this.match(item, at, captures, direction, next)
          if (found !== undefined) return found
        }
        return undefined
      case 'group':
        return this.match(node.body, at, captures, direction, (end, inner) =>
          next(end, { ...inner, [node.index]: [Math.min(at, end), Math.max(at, end)] }),
        )
      case 'repetition':
        return this.repeat(node, 0, at, captures, direction, next)
      case 'lookaround': {
        this.step()
        const found = this.match(node.body, at, captures, node.isBehind ? -1 : 1, (end, inner) => ({
          at: end,
          captures: inner,
        }))
        if ((found === undefined) !== node.isNegated) return undefined
        return next(at, node.isNegated ? captures : found!.captures)
      }
      case 'assertion':
        this.step()
        return this.holds(node.symbol, node.flags, at) ? next(at, captures) : undefined
      default: {
        this.step()
        const [from, to] = captures[Number(node.group)] ?? [0, 0]
        const length = to - from
        const end = at + direction * length
        if (end < 0 || end > this.text.length) return undefined
        const place = Math.min(at, end)
        const fold = (text: string): string => (node.flags.includes('i') ? text.toUpperCase() : text)
        for (let index = 0; index < length; index++) {
          this.step()
          if (fold(this.text[from + index]!) !== fold(this.text[place + index]!)) return undefined
        }
        return next(end, captures)
      }
    }
  }

  private repeat(
    node: RepetitionNode,
    count: number,
    at: number,
    captures: Captures,
    direction: 1 | -1,
    next: Continue,
  ): Found | undefined {
    const { body, min, max, isLazy } = node
    const stop = (): Found | undefined => (count < min ? undefined : next(at, captures))
    const again = (): Found | undefined => {
      if (count >= max) return undefined
      const cleared = { ...captures }
      for (const index of groupsIn(body)) cleared[index] = undefined
      return this.match(body, at, cleared, direction, (end, inner) => {
        if (end === at && count >= min) {
          this.step()
          return undefined
        }
        return this.repeat(node, count + 1, end, inner, direction, next)
      })
    }
    return isLazy ? (stop() ?? again()) : (again() ?? stop())
  }

  private holds(sign: string, flags: string, at: number): boolean {
    const { text } = this
    const isMultiline = flags.includes('m')
    if (sign === '^') return at === 0 || (isMultiline && /[\n\r\u2028\u2029]/.test(text[at - 1]!))
    if (sign === '$') return at === text.length || (isMultiline && /[\n\r\u2028\u2029]/.test(text[at]!))
    const word = this.isUnicode && flags.includes('i') ? /[\w\u017f\u212a]/ : /\w/
    const isBoundary = word.test(text[at - 1] ?? '') !== word.test(text[at] ?? '')
    return (sign === String.raw`\b`) === isBoundary
  }

  /** Returns the number of UTF-16 units of the character at or before an index. 0 at the edge of the text. */
  private width(at: number, direction: 1 | -1): number {
    const { text, isUnicode } = this
    if (direction === 1 ? at >= text.length : at <= 0) return 0
    const pair = direction === 1 ? text.slice(at, at + 2) : text.slice(Math.max(0, at - 2), at)
    return isUnicode && /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? 2 : 1
  }

  private isMatched(source: string, flags: string, character: string): boolean {
    const key = `${flags}/${source}`
    let matches = this.characters.get(key)
    if (matches === undefined) this.characters.set(key, (matches = new RegExp(`^(?:${source})$`, flags)))
    return matches.test(character)
  }

  private step(count = 1): void {
    this.steps += count
    if (this.steps > this.most) throw new TooManySteps()
  }
}

const groupCache = new WeakMap<RegExpNode, readonly number[]>()

function groupsIn(node: RegExpNode): readonly number[] {
  let groups = groupCache.get(node)
  if (groups === undefined) groupCache.set(node, (groups = [...indexesIn(node)]))
  return groups
}

function* indexesIn(node: RegExpNode): Iterable<number> {
  if (node.kind === 'group') yield node.index
  if (node.kind === 'sequence' || node.kind === 'alternatives') for (const item of node.items) yield* indexesIn(item)
  if ('body' in node) yield* indexesIn(node.body)
}

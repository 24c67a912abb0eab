/**
 * Returns a function that matches whole texts with a pattern: `*` matches any text, `?` one character, and `\` precedes a character that is
 * matched literally. The parts between stars are searched one after the other, so that a match takes no more steps than the length of the
 * text times the length of the longest part.
 */
export function likeTest(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern)
  const first = parts[0]!
  const last = parts.at(-1)!
  if (parts.length === 1) return (text) => endOf(first, text, 0) === text.length
  const middle = parts.slice(1, -1).filter(({ length }) => length > 0)
  return (text) => {
    let at = endOf(first, text, 0)
    for (const part of middle) {
      if (at < 0) return false
      at = search(part, text, at)
    }
    return at >= 0 && endsWith(last, text, at)
  }
}

/** Returns the longest literal part of a pattern. */
export function longestLiteral(pattern: string): string | undefined {
  const parts = pattern.split(/\\[^]|[*?]/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

/** A part of a pattern between stars: literal texts with a `?` (undefined) between them. */
type LikePart = readonly (string | undefined)[]

function partsOf(pattern: string): LikePart[] {
  const parts: (string | undefined)[][] = [[]]
  for (let at = 0; at < pattern.length; at++) {
    const part = parts.at(-1)!
    const character = pattern[at]!
    if (character === '*') parts.push([])
    else if (character === '?') part.push(undefined)
    else {
      // A backslash at the end is literal.
      if (character === '\\' && at + 1 < pattern.length) at++
      if (typeof part.at(-1) === 'string') part[part.length - 1] += pattern[at]!
      else part.push(pattern[at])
    }
  }
  return parts
}

/** Returns the end of the match of a part that begins at an offset of a text; -1 if the part does not match there. */
function endOf(part: LikePart, text: string, from: number): number {
  let at = from
  for (const literal of part) {
    if (literal === undefined) {
      const code = text.codePointAt(at)
      if (code === undefined) return -1
      at += code > 0xff_ff ? 2 : 1
    } else if (text.startsWith(literal, at)) at += literal.length
    else return -1
  }
  return at
}

/** Returns the end of the first match of a part that begins at an offset or later; -1 without a match. */
function search(part: LikePart, text: string, from: number): number {
  const [literal] = part
  for (let at = from; at <= text.length; at++) {
    if (literal !== undefined) {
      at = text.indexOf(literal, at)
      if (at < 0) return -1
    }
    const end = endOf(part, text, at)
    if (end >= 0) return end
  }
  return -1
}

/** Returns whether a part matches the end of a text, from an offset or later. */
function endsWith(part: LikePart, text: string, from: number): boolean {
  const units = part.reduce((sum, literal) => sum + (literal?.length ?? 1), 0)
  // Each `?` can match one or two UTF-16 units.
  const questions = part.filter((literal) => literal === undefined).length
  for (let at = Math.max(from, text.length - units - questions); at <= text.length - units; at++)
    if (endOf(part, text, at) === text.length) return true
  return false
}

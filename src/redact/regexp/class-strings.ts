import type { CharacterNode, RegExpNode } from './nodes.ts'

/** The properties of strings with the flag `v`, which are sequences of emoji. */
const emojiProperty = /\\p\{(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_\w+)\}/
const stringList = /\\q\{((?:\\[^]|[^}\\])*)\}/g
const stringOrSign = /\\[^]|\|/g
const escape = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c([A-Za-z])|([^]))/gu
const controls: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', 0: '\0' }

/** An upper bound of the number of code points in a sequence of emoji. */
const longestEmoji = 16

/**
 * Converts a class that matches strings (`[\q{abc|de}x]`, `\p{RGI_Emoji}`) to alternatives: its strings from long to short, its single
 * characters, and the empty string if the class contains it (ECMA-262 section 22.2.2.7). Other classes stay unchanged.
 */
export function withStrings(node: CharacterNode): RegExpNode {
  const { source, flags, position } = node
  if (!flags.includes('v')) return node
  const hasEmoji = emojiProperty.test(source)
  const strings = stringsOf(source)
  if (!hasEmoji && strings.length === 0) return node
  const whole = new RegExp(`^(?:${source})$`, flags)
  const items: RegExpNode[] = []
  if (hasEmoji) {
    // Repetitions of all characters in such sequences include the strings of the property, and none that is shorter.
    const body: CharacterNode = {
      kind: 'character',
      source: String.raw`[\p{Emoji}\p{Emoji_Component}]`,
      flags,
      position,
    }
    items.push({ kind: 'repetition', body, least: 1, most: longestEmoji, isLazy: false, position })
  }
  // A class may exclude strings (`--`, `&&`).
  const matched = [...new Set(strings)].filter((text) => Array.from(text).length > 1 && whole.test(text))
  for (const text of matched.toSorted((one, other) => other.length - one.length))
    items.push({ kind: 'sequence', items: Array.from(text, (unit) => characterOf(unit, flags, position)) })
  items.push(node)
  if (whole.test('')) items.push({ kind: 'sequence', items: [] })
  return { kind: 'alternatives', items }
}

function characterOf(unit: string, flags: string, position: number): CharacterNode {
  // ASCII letters are not escaped, because `characterSetOf` treats an escape as any character.
  const source = /^\w$/.test(unit) ? unit : `\\u{${unit.codePointAt(0)!.toString(16)}}`
  return { kind: 'character', source, flags, position }
}

function stringsOf(source: string): readonly string[] {
  return Array.from(source.matchAll(stringList), ([, list = '']) => list)
    .flatMap((list) => list.replaceAll(stringOrSign, (sign) => (sign === '|' ? separator : sign)).split(separator))
    .map(unescaped)
}

/** A lone surrogate, which does not occur in the source of an expression with the flag `v`, where it is written as an escape. */
const separator = '\ud800'

function unescaped(text: string): string {
  return text.replaceAll(escape, (_, point?: string, unit?: string, byte?: string, letter?: string, sign = '') => {
    const code = point ?? unit ?? byte
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
    return letter === undefined
      ? Object.hasOwn(controls, sign)
        ? controls[sign]!
        : sign
      : String.fromCharCode(letter.charCodeAt(0) % 32)
  })
}

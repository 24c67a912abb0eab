import type { CharacterNode, RegExpNode } from './nodes.ts'

/** The properties of strings with the flag `v`, which are sequences of emoji. */
const emojiProperty = /\\p\{(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_\w+)\}/
const stringList = /\\q\{((?:\\[^]|[^}\\])*)\}/g
const escapeOrBar = /\\[^]|\|/g
const escapeSequence = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c([A-Za-z])|([^]))/gu
const controlCharacters: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  0: '\0',
}

/** An upper bound of the number of code points in a sequence of emoji. */
const maxEmojiLength = 16

/**
 * Converts a class that matches strings (`[\q{abc|de}x]`, `\p{RGI_Emoji}`) to alternatives: its strings from long to short, its single
 * characters, and the empty string if the class contains it (ECMA-262 section 22.2.2.7). Other classes stay unchanged.
 */
export function expandClassStrings(node: CharacterNode): RegExpNode {
  const { source, flags, position } = node
  if (!flags.includes('v')) return node
  const hasEmoji = emojiProperty.test(source)
  const strings = stringsOf(source)
  if (!hasEmoji && strings.length === 0) return node
  const wholeExpression = new RegExp(`^(?:${source})$`, flags)
  const items: RegExpNode[] = []
  if (hasEmoji) {
    // One to 16 characters that occur in such sequences: this includes all strings of the property.
    const body: CharacterNode = {
      kind: 'character',
      source: String.raw`[\p{Emoji}\p{Emoji_Component}]`,
      flags,
      position,
    }
    items.push({ kind: 'repetition', body, min: 1, max: maxEmojiLength, isLazy: false, position })
  }
  // A class may exclude some of its strings (`--`, `&&`).
  const matched = [...new Set(strings)].filter((text) => Array.from(text).length > 1 && wholeExpression.test(text))
  for (const text of matched.toSorted((one, other) => other.length - one.length))
    items.push({ kind: 'sequence', items: Array.from(text, (codePoint) => characterOf(codePoint, flags, position)) })
  items.push(node)
  if (wholeExpression.test('')) items.push({ kind: 'sequence', items: [] })
  return { kind: 'alternatives', items }
}

function characterOf(codePoint: string, flags: string, position: number): CharacterNode {
  // ASCII letters, digits and `_` are not escaped, because `characterSetOf` assumes that an escape may match non-ASCII characters.
  const source = /^\w$/.test(codePoint) ? codePoint : `\\u{${codePoint.codePointAt(0)!.toString(16)}}`
  return { kind: 'character', source, flags, position }
}

/** Returns the strings in the lists `\q{…}` of a class. */
function stringsOf(source: string): readonly string[] {
  return Array.from(source.matchAll(stringList), ([, list = '']) => list)
    .flatMap((list) =>
      list.replaceAll(escapeOrBar, (match) => (match === '|' ? stringSeparator : match)).split(stringSeparator),
    )
    .map(unescapeString)
}

/** A lone surrogate, which does not occur in the source of an expression with the flag `v`, where it is written as an escape. */
const stringSeparator = '\ud800'

function unescapeString(text: string): string {
  return text.replaceAll(
    escapeSequence,
    (_, point?: string, unit?: string, byte?: string, letter?: string, character = '') => {
      const code = point ?? unit ?? byte
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
      return letter === undefined
        ? Object.hasOwn(controlCharacters, character)
          ? controlCharacters[character]!
          : character
        : String.fromCharCode(letter.charCodeAt(0) % 32)
    },
  )
}

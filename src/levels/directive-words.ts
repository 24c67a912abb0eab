/** What is wrong at a position of a text with directives. */
export class DirectiveSyntaxError extends Error {
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

/** A part of a directive that can be quoted. */
export interface Word {
  readonly text: string
  readonly isQuoted: boolean
  /** Offset in the text with directives. */
  readonly position: number
}

/** The kinds of words. */
export type WordKind = 'name' | 'key' | 'value' | 'level'

/**
 * For each kind, the characters of an unquoted word, and those that are rejected because they have a meaning in similar languages. A `#`
 * after a space begins a comment.
 */
const wordKinds: Readonly<Record<WordKind, { readonly pattern: RegExp; readonly mistakes: readonly RegExp[] }>> = {
  name: { pattern: /[^[\]=,"\s]*/y, mistakes: [/^'/, /;/, /^!|!$/] },
  key: { pattern: /(?:[^[\]=,"\n#]|(?<![ \t])#)*/y, mistakes: [/^'/, /;/, /!$/, /\{/, /[*?]/] },
  value: { pattern: /(?:[^[\]=,"\n#]|(?<![ \t])#)*/y, mistakes: [/^'/, /;/, /[*?]/] },
  level: { pattern: /(?!#)[^[\]=,"\s]*/y, mistakes: [/^'/, /;/] },
}

/** Reads the words of a text. */
export class WordReader {
  position = 0
  protected readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Reads a word, which may be quoted: in quotes, `\` precedes a quote or another `\` of the word. */
  protected word(kind: WordKind): Word {
    const { position } = this
    if (this.text[position] === '"') {
      const quoted = this.match(/"(?:[^"\\\n]|\\.)*"/y)
      if (quoted === '') this.fail('the quote is not closed; add "')
      return { text: quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1'), isQuoted: true, position }
    }
    const { pattern, mistakes } = wordKinds[kind]
    const text = this.match(pattern).trimEnd()
    for (const mistake of mistakes) {
      const index = text.search(mistake)
      if (index >= 0) this.failAt(position + index, adviceFor(text[index]!, kind))
    }
    return { text, isQuoted: false, position }
  }

  /** Returns the text that a sticky expression matches at the position, and moves after it; '' without a match. */
  protected match(pattern: RegExp): string {
    pattern.lastIndex = this.position
    const matched = pattern.exec(this.text)?.[0] ?? ''
    this.position += matched.length
    return matched
  }

  protected fail(message: string): never {
    throw new DirectiveSyntaxError(message, this.position)
  }

  protected failAt(position: number, message: string): never {
    this.position = position
    return this.fail(message)
  }
}

/** Returns what to write instead of a character that looks like syntax of another language. */
function adviceFor(character: string, kind: WordKind): string {
  if (character === "'") return 'use double quotes: " instead of \''
  if (character === ';')
    return kind === 'value' || kind === 'key'
      ? 'conditions are separated by ","; write a value with ";" in double quotes'
      : 'directives are separated by ","; write a name with ";" in double quotes'
  if (character === '!')
    return 'there is no negation; write two directives, as in debug,[tenant=acme]=info or debug,db=info'
  if (character === '{') return 'conditions have no braces; write [tenant=acme]'
  return kind === 'key'
    ? 'names of attributes are compared exactly; write the complete name, in double quotes if it contains * or ?'
    : 'values are compared exactly; write the complete value, in double quotes if it contains * or ?'
}

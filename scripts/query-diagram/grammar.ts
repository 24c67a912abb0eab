/** A node of a grammar in the notation of the W3C. */
export type GrammarNode =
  | { readonly kind: 'literal'; readonly text: string }
  /** The name of a rule in lowercase, or of a terminal in uppercase. */
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'sequence' | 'choice'; readonly items: readonly GrammarNode[] }
  /** `?` or `*`. */
  | { readonly kind: 'optional' | 'repeated'; readonly item: GrammarNode }

/** The rules of a grammar by their names, in order. */
export type Grammar = ReadonlyMap<string, GrammarNode>

/** Parses a grammar: one rule a line, as in `key ::= name ( '.' name )*`. */
export function parseGrammar(text: string): Grammar {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [, name, definition] = /^(\w+)\s*::= (.*)$/.exec(line) ?? []
        if (name === undefined || definition === undefined) throw new Error(`this is not a rule: ${line}`)
        return [name, new DefinitionParser(definition).parse()]
      }),
  )
}

class DefinitionParser {
  private readonly tokens: string[]

  constructor(text: string) {
    this.tokens = text.match(/'[^']*'|\w+|[()|?*]|[^\s]/g) ?? []
  }

  parse(): GrammarNode {
    const node = this.parseChoice()
    if (this.tokens.length > 0) throw new Error(`unexpected ${this.tokens[0]}`)
    return node
  }

  private parseChoice(): GrammarNode {
    const items = [this.parseSequence()]
    while (this.tokens[0] === '|') {
      this.tokens.shift()
      items.push(this.parseSequence())
    }
    return items.length === 1 ? items[0]! : { kind: 'choice', items }
  }

  private parseSequence(): GrammarNode {
    const items: GrammarNode[] = []
    while (this.tokens.length > 0 && this.tokens[0] !== '|' && this.tokens[0] !== ')') items.push(this.parseItem())
    return items.length === 1 ? items[0]! : { kind: 'sequence', items }
  }

  private parseItem(): GrammarNode {
    const token = this.tokens.shift()!
    let item: GrammarNode
    if (token === '(') {
      item = this.parseChoice()
      if (this.tokens.shift() !== ')') throw new Error('a parenthesis is not closed')
    } else if (token.startsWith("'")) item = { kind: 'literal', text: token.slice(1, -1) }
    else if (/^\w/.test(token)) item = { kind: 'reference', name: token }
    else throw new Error(`unexpected ${token}`)
    if (this.tokens[0] !== '?' && this.tokens[0] !== '*') return item
    return { kind: this.tokens.shift() === '?' ? 'optional' : 'repeated', item }
  }
}

/** A part of a program, without its meaning. */
export interface Token {
  /**
   * `string`: a string or template literal. `word`: a name, keyword, number or regular expression. `mark`: any other character. A
   * template with expressions is a mark `{` before each expression, and an empty string at its end.
   */
  readonly kind: 'string' | 'word' | 'mark'
  /** The source text. Strings are without quotes; regular expressions are replaced by a placeholder. */
  readonly value: string
  /** Index in the source where the value begins. */
  readonly offset: number
}

const parts =
  /(?<space>\s+|\/\/[^\n]*|\/\*[^]*?\*\/)|(?<string>'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*")|(?<word>[\p{ID_Continue}$]+)|(?<mark>[^])/uy
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y
/** The text of a template up to its end or its next expression. */
const templateText = /((?:[^`\\$]|\\[^]|\$(?!\{))*)(`|\$\{)/y
/** Words before an expression. A slash after them begins a regular expression; after any other word, it is a division. */
const wordBeforeExpression = /^(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield)$/

/**
 * Returns the tokens of a program, without comments. This is not a parser: it distinguishes strings, templates and regular
 * expressions from code, also in TypeScript and JSX.
 *
 * @throws SyntaxError when a template has no end.
 */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  /** The braces that are open: `{` of code, and `${` of templates. */
  const openBraces: string[] = []
  let position = 0
  /** Matches a pattern at the current position, and moves the position to the end of the match. */
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const found = pattern.exec(source)
    if (found !== null) position = pattern.lastIndex
    return found
  }
  /** Adds the token of a template's text up to its end or next expression. `isStart` is false for text after an expression. */
  const addTemplateText = (isStart: boolean): void => {
    const start = position
    const [, value, end] = match(templateText) ?? []
    if (value === undefined) throw new SyntaxError('the file has a template literal without an end')
    if (end === '${') {
      openBraces.push(end)
      tokens.push({ kind: 'mark', value: '{', offset: start })
    } else tokens.push({ kind: 'string', value: isStart ? value : '', offset: start })
  }
  while (position < source.length) {
    const last = tokens.at(-1)
    // After a mark that ends a value, a slash is a division; after `<`, it is part of a closing tag.
    const canBeginExpression =
      last === undefined || (last.kind === 'mark' ? !/[)\]}<]/.test(last.value) : isKeywordBeforeExpression(tokens))
    const start = position
    const { space, string, word, mark = '' } = match(parts)?.groups ?? {}
    if (space !== undefined) continue
    if (string !== undefined) tokens.push({ kind: 'string', value: string.slice(1, -1), offset: start + 1 })
    else if (word !== undefined) tokens.push({ kind: 'word', value: word, offset: start })
    else if (mark === '`') addTemplateText(true)
    else if (mark === '}' && openBraces.pop() === '${') addTemplateText(false)
    else {
      if (mark === '{') openBraces.push(mark)
      if (mark === '/' && canBeginExpression) {
        position = start
        if (match(regularExpression) !== null) {
          tokens.push({ kind: 'word', value: '/…/', offset: start })
          continue
        }
        position = start + 1
      }
      tokens.push({ kind: 'mark', value: mark, offset: start })
    }
  }
  if (openBraces.includes('${')) throw new SyntaxError('the file has a template literal without an end')
  return tokens
}

/** Returns whether the last token is a keyword before an expression, and not the name of a member, as in `counts.delete`. */
function isKeywordBeforeExpression(tokens: readonly Token[]): boolean {
  const { kind, value } = tokens.at(-1)!
  if (kind !== 'word' || !wordBeforeExpression.test(value)) return false
  const isAfterDot = tokens.at(-2)?.value === '.' && tokens.at(-2)?.kind === 'mark'
  // Three dots are a spread, as in `...await`.
  return !isAfterDot || tokens.at(-3)?.value === '.'
}

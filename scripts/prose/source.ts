import { parseSync, type Comment } from 'oxc-parser'

/** A text for readers, or an identifier, in a source file. */
export interface Piece {
  readonly kind: 'comment' | 'title' | 'message' | 'identifier'
  readonly start: number
  /** The text with its delimiters, escapes and code replaced by as many characters, so that positions in it are those of the file. */
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Returns the comments, test titles and messages of a TypeScript or JavaScript file, and the first use of each identifier. */
export function piecesOf(path: string, source: string): Piece[] {
  const { program, comments, errors } = parseSync(path, source)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`)
  const nodes = nodesBelow(program as object as Node)
  const titles = new Set(nodes.flatMap(titlesOf))
  const strings = nodes.filter(isString).map((node): Piece => {
    return { kind: titles.has(node) ? 'title' : 'message', start: node.start, text: textOf(node, source) }
  })
  return [
    ...commentsOf(comments, source),
    ...strings.filter(({ kind, text }) => kind === 'title' || isProse(text)),
    ...identifiersOf(nodes),
  ].toSorted((a, b) => a.start - b.start)
}

function nodesBelow(node: Node): Node[] {
  return [node, ...Object.values(node).flat().filter(isNode).flatMap(nodesBelow)]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function identifiersOf(nodes: readonly Node[]): Piece[] {
  const found = new Map<string, Piece>()
  for (const { type, name, start } of nodes) {
    if (!type.endsWith('Identifier') || typeof name !== 'string' || found.has(name)) continue
    found.set(name, { kind: 'identifier', start: type === 'PrivateIdentifier' ? start + 1 : start, text: name })
  }
  return [...found.values()]
}

/** Returns the title in `test(…)`, `describe(…)`, `it.each(…)(…)`. */
function titlesOf(node: Node): Node[] {
  if (node.type !== 'CallExpression') return []
  let callee: unknown = node.callee
  while (isNode(callee) && callee.type !== 'Identifier') callee = callee.object ?? callee.callee ?? callee.tag
  const isTest = isNode(callee) && ['describe', 'it', 'test'].includes(String(callee.name))
  return isTest ? (node.arguments as Node[]).slice(0, 1) : []
}

function isString(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

/** Returns the text of a string or template, without the expressions in it. */
function textOf(node: Node, source: string): string {
  let text = source.slice(node.start, node.end)
  for (const { start, end } of (node.expressions as Node[] | undefined) ?? []) {
    const [from, to] = [start - node.start, end - node.start]
    text = text.slice(0, from) + replaced(text.slice(from, to), /[^]+/, '_') + text.slice(to)
  }
  const plain = replaced(replaced(text, /\$\{[_\s]*\}/g, '_'), /^.|.$|\\[nrt]/g, ' ')
  return replaced(plain, /[^\s\\]*\\[xu0][^\s]*/g, '_')
}

/** Whether a text has at least three words, and is not a program. */
function isProse(text: string): boolean {
  const words = text.match(/(?<![^\s"'(])[A-Za-z][A-Za-z'’-]*(?=[\s,.;:!?"')]|$)/g) ?? []
  return words.length >= 3 && !/=>|[;{}]\s*$|^\s*(?:import|const|let) /m.test(text)
}

/** Returns the comments; successive line comments are one text. */
function commentsOf(comments: readonly Comment[], source: string): Piece[] {
  const groups: { type: string; start: number; end: number }[] = []
  for (const { type, start, end } of comments) {
    const last = groups.at(-1)
    const continues = last?.type === 'Line' && type === 'Line' && /^\s*$/.test(source.slice(last.end, start))
    if (continues) last.end = end
    else groups.push({ type, start, end })
  }
  return groups.map(({ start, end }) => ({ kind: 'comment', start, text: proseOfComment(source.slice(start, end)) }))
}

function proseOfComment(comment: string): string {
  const delimiters = /^[ \t]*\/\/+|^\/\*+|\*\/$|^[ \t]*\*/gm
  const code = /```[^]*?```|`[^`]*`|\{@[^}]*\}|@param \S+|@\w+|\bhttps?:\S+|\boxlint-\S+ [\w/-]+/g
  return replaced(replaced(comment, delimiters, ' '), code, '_')
}

function replaced(text: string, pattern: RegExp, by: string): string {
  return text.replace(pattern, (match) => match.replaceAll(/\S/g, by))
}

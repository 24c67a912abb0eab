import type { RegExpNode } from '../../redact/regexp/nodes.ts'
import { parseRegExp } from '../../redact/regexp/syntax.ts'

/** Returns the longest text that is in each match of a regular expression; undefined if none is known. */
export function requiredLiteral(source: string, flags: string): string | undefined {
  try {
    const literals: string[] = ['']
    collect(parseRegExp(new RegExp(source, flags)), literals)
    const longest = literals.reduce((longest, literal) => (literal.length > longest.length ? literal : longest))
    return longest === '' ? undefined : longest
  } catch {
    // The expression is too large to be analyzed.
    return undefined
  }
}

/** Adds the characters that each match contains, in order. The last text is continued; any other node begins a new one. */
function collect(node: RegExpNode, literals: string[]): void {
  if (node.kind === 'sequence') for (const item of node.items) collect(item, literals)
  else if (node.kind === 'group') collect(node.body, literals)
  else if (node.kind === 'character' && isLiteral(node.source) && !node.flags.includes('i'))
    literals[literals.length - 1] += node.source.at(-1)!
  else if (node.kind !== 'assertion') literals.push('')
}

/** Returns whether the source of a node is one character, or one with a backslash that is not a class or a control character. */
function isLiteral(source: string): boolean {
  return /^(?:[^.\\[\]]|\\[^\w])$/.test(source)
}

import diagrams, { type Item } from 'railroad-diagrams'
import type { Grammar, GrammarNode } from './grammar.ts'

const { Choice, Diagram, NonTerminal, OneOrMore, Optional, Sequence, Terminal, ZeroOrMore } = diagrams

/** Returns an SVG picture with a railroad diagram for each rule of a grammar, one below the other. */
export function grammarPicture(grammar: Grammar, title: string): string {
  let height = margin
  let width = 0
  const rules: string[] = []
  for (const [name, node] of grammar) {
    const diagram = Diagram(...itemsOf(node)).format(padding)
    rules.push(
      `<text class="name" x="${padding}" y="${height + nameHeight}">${name}</text>`,
      // The picture of each rule is an SVG element, which is placed in the whole picture.
      diagram
        .toString()
        .trim()
        .replace('<svg ', `<svg x="0" y="${height + nameHeight}" `)
        .replaceAll(/\n(?=<\/)/g, ''),
    )
    height += nameHeight + diagram.attrs.height
    width = Math.max(width, diagram.attrs.width)
  }
  const size = `width="${width}" height="${height + margin}" viewBox="0 0 ${width} ${height + margin}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    `<rect class="background" width="100%" height="100%"/>`,
    ...rules,
    '</svg>',
    '',
  ].join('\n')
}

const padding = 16
const margin = 8
const nameHeight = 20

const style = `
.background { fill: #ffffff }
path { fill: none; stroke: #57606a; stroke-width: 2 }
svg svg rect { fill: #ddf4ff; stroke: #0969da; stroke-width: 1.5 }
svg svg rect[rx] { fill: #fff8c5; stroke: #9a6700 }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; text-anchor: middle; fill: #1f2328 }
text.name { font-weight: bold; text-anchor: start }
@media (prefers-color-scheme: dark) {
  .background { fill: #0d1117 }
  path { stroke: #8b949e }
  svg svg rect { fill: #0c2d6b; stroke: #58a6ff }
  svg svg rect[rx] { fill: #3b2300; stroke: #d29922 }
  text { fill: #e6edf3 }
}
`

function itemsOf(node: GrammarNode): Item[] {
  if (node.kind !== 'sequence') return [itemOf(node)]
  const items: Item[] = []
  for (let at = 0; at < node.items.length; at++) {
    const item = node.items[at]!
    const separator = separatorOf(item, node.items[at + 1])
    items.push(separator === undefined ? itemOf(item) : OneOrMore(itemOf(item), separator))
    if (separator !== undefined) at++
  }
  return items
}

/** Returns the separator of a list, which the grammar writes as `item ( ',' item )*`; undefined if the next node is something else. */
function separatorOf(item: GrammarNode, next: GrammarNode | undefined): Item | undefined {
  if (next?.kind !== 'repeated' || next.item.kind !== 'sequence') return undefined
  const [separator, repeatedItem, ...others] = next.item.items
  const isList = others.length === 0 && JSON.stringify(repeatedItem) === JSON.stringify(item)
  return isList ? itemOf(separator!) : undefined
}

function itemOf(node: GrammarNode): Item {
  switch (node.kind) {
    case 'literal':
      return Terminal(node.text)
    case 'reference':
      return NonTerminal(node.name)
    case 'choice':
      return Choice(0, ...node.items.map(itemOf))
    case 'optional':
      return Optional(itemOf(node.item))
    case 'repeated':
      return ZeroOrMore(itemOf(node.item))
    default:
      return Sequence(...itemsOf(node))
  }
}

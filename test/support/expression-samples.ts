import { parseRegExp, type RegExpNode } from '../../src/rules/regexp/syntax.ts'

const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
/** First those that are most likely in a token. */
const preferred = characters.toSorted((one, other) => Number(/\w/.test(other)) - Number(/\w/.test(one)))

/** Makes a text that an expression matches, for expressions without lookarounds and backreferences; the same for the same seed. */
export function sampleOf(expression: RegExp, seed: number): string {
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  function sample(node: RegExpNode): string {
    switch (node.kind) {
      case 'character': {
        if (node.source.length === 1) return node.source
        const matches = new RegExp(`^(?:${node.source})$`, node.flags)
        const all = preferred.filter((character) => matches.test(character))
        const words = all.filter((character) => /[A-Za-z0-9]/.test(character))
        const from = words.length > 1 ? words : all
        return from[random(from.length)]!
      }
      case 'sequence':
        return node.items.map((item) => sample(item)).join('')
      case 'alternatives':
        return sample(node.items[random(node.items.length)]!)
      case 'repetition': {
        const count = node.least + (node.most > node.least ? random(2) : 0)
        return Array.from({ length: count }, () => sample(node.body)).join('')
      }
      case 'group':
        return sample(node.body)
      default:
        return ''
    }
  }
  return sample(parseRegExp(expression))
}

import type { GroupNode, RegExpNode } from './nodes.ts'

/** The number of UTF-16 units that an expression matches. */
export interface MatchLength {
  readonly least: number
  /** Infinity for a repetition without a limit. Includes the text that lookarounds read. */
  readonly most: number
}

/** Returns the length of the text that an expression matches. */
export function matchLength(root: RegExpNode): MatchLength {
  return new Lengths(root).of(root)
}

/** Returns the length of the text that the group with a name or number matches. */
export function groupLength(root: RegExpNode, to: string): MatchLength {
  return new Lengths(root).ofGroup(to)
}

const none: MatchLength = { least: 0, most: 0 }

class Lengths {
  private readonly groups: readonly GroupNode[]
  private readonly known = new Map<RegExpNode, MatchLength>()

  constructor(root: RegExpNode) {
    this.groups = groupsOf(root)
  }

  of(node: RegExpNode): MatchLength {
    switch (node.kind) {
      case 'character':
        return { least: 1, most: /[uv]/.test(node.flags) ? 2 : 1 }
      case 'sequence': {
        const all = node.items.map((item) => this.of(item))
        return { least: sum(all.map(({ least }) => least)), most: sum(all.map(({ most }) => most)) }
      }
      case 'alternatives': {
        const all = node.items.map((item) => this.of(item))
        return { least: Math.min(...all.map(({ least }) => least)), most: Math.max(...all.map(({ most }) => most)) }
      }
      case 'repetition': {
        const { least, most } = this.of(node.body)
        return { least: least * node.least, most: most === 0 || node.most === 0 ? 0 : most * node.most }
      }
      case 'lookaround':
        return { least: 0, most: this.of(node.body).most }
      case 'backreference':
        return { least: 0, most: this.ofGroup(node.to).most }
      case 'group':
        return this.known.get(node) ?? this.add(node)
      default:
        return none
    }
  }

  ofGroup(to: string): MatchLength {
    const all = this.groups
      .filter(({ name, index }) => name === to || String(index) === to)
      .map((group) => this.of(group))
    return { least: 0, most: Math.max(0, ...all.map(({ most }) => most)) }
  }

  private add(group: GroupNode): MatchLength {
    // A reference to a group from inside that group matches the empty string.
    this.known.set(group, none)
    const length = this.of(group.body)
    this.known.set(group, length)
    return length
  }
}

function sum(all: readonly number[]): number {
  return all.reduce((before, one) => before + one, 0)
}

function groupsOf(node: RegExpNode): GroupNode[] {
  if (node.kind === 'sequence' || node.kind === 'alternatives') return node.items.flatMap((item) => groupsOf(item))
  if (node.kind === 'group') return [node, ...groupsOf(node.body)]
  return node.kind === 'repetition' || node.kind === 'lookaround' ? groupsOf(node.body) : []
}

import type { GroupNode, RegExpNode } from './nodes.ts'

/** The number of UTF-16 units that an expression matches. */
export interface MatchLength {
  readonly min: number
  /** Infinity for a repetition without a limit. Includes the text that lookarounds and backreferences read. */
  readonly max: number
}

/** Returns the length of the text that an expression matches. */
export function matchLength(root: RegExpNode): MatchLength {
  return new LengthCalculator(root).lengthOf(root)
}

/**
 * Returns the length of the text that the group with this name or number matches. The minimum is 0, because the group may not take part.
 */
export function groupLength(root: RegExpNode, group: string): MatchLength {
  return new LengthCalculator(root).lengthOfGroup(group)
}

const zeroLength: MatchLength = { min: 0, max: 0 }

class LengthCalculator {
  private readonly groups: readonly GroupNode[]
  private readonly lengthOfNode = new Map<RegExpNode, MatchLength>()

  constructor(root: RegExpNode) {
    this.groups = groupsOf(root)
  }

  lengthOf(node: RegExpNode): MatchLength {
    switch (node.kind) {
      case 'character':
        // With a Unicode flag, a character can consist of two units.
        return { min: 1, max: /[uv]/.test(node.flags) ? 2 : 1 }
      case 'sequence': {
        const all = node.items.map((item) => this.lengthOf(item))
        return { min: sum(all.map(({ min }) => min)), max: sum(all.map(({ max }) => max)) }
      }
      case 'alternatives': {
        const all = node.items.map((item) => this.lengthOf(item))
        return { min: Math.min(...all.map(({ min }) => min)), max: Math.max(...all.map(({ max }) => max)) }
      }
      case 'repetition': {
        const { min, max } = this.lengthOf(node.body)
        return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max }
      }
      case 'lookaround':
        return { min: 0, max: this.lengthOf(node.body).max }
      case 'backreference':
        return { min: 0, max: this.lengthOfGroup(node.group).max }
      case 'group':
        return this.lengthOfNode.get(node) ?? this.addGroup(node)
      default:
        return zeroLength
    }
  }

  lengthOfGroup(nameOrIndex: string): MatchLength {
    const all = this.groups
      .filter(({ name, index }) => name === nameOrIndex || String(index) === nameOrIndex)
      .map((group) => this.lengthOf(group))
    return { min: 0, max: Math.max(0, ...all.map(({ max }) => max)) }
  }

  private addGroup(group: GroupNode): MatchLength {
    // A reference to a group from inside that group matches the empty string.
    this.lengthOfNode.set(group, zeroLength)
    const length = this.lengthOf(group.body)
    this.lengthOfNode.set(group, length)
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

import { anyCharacter, characterSetOf, type CharacterSet } from './character-sets.ts'
import { groupLength } from './match-length.ts'
import { PatternTooLarge } from './syntax.ts'
import type { CharacterNode, LookaroundNode, RegExpNode, RepetitionNode } from './nodes.ts'

/**
 * The position automaton (Glushkov) of an expression. It has one state for each position where a character is matched, with counted
 * repetitions expanded. An edge has the number of ways in which the engine gets from one state to the other without matching a character.
 * In the state `anyStart` a match may start at each character, in `textStart` only at the first one.
 */
export interface Automaton {
  readonly states: readonly State[]
}

/** A position where a character is matched. */
export interface State {
  readonly set: CharacterSet
  /** Edges to the possible next states, with the number of ways. */
  readonly next: Map<number, number>
  /** The number of checks without a character on leaving the state: assertions, empty iterations, and the work of lookarounds. */
  checks: number
  /** Whether the whole expression is certain to match once the engine is in this state. */
  isAccepting: boolean
  /** If a lookbehind is evaluated in this state: its steps for each character, assuming that it is evaluated at each. */
  readonly lookbehindSteps: number
  /** Offset in the pattern of the matched atom. Copies in a repetition share it. */
  readonly atom: number
  /** Offset of the innermost enclosing quantifier, or of the atom if there is none. */
  readonly position: number
}

/** The state in which a match may start, at each character. */
export const anyStart = 0
/** The state in which a match that requires the start of the text begins. */
export const textStart = 1

// The maximum numbers of states and edges.
const maxStates = 2_048
const maxEdges = 32_768
const maxGroupLength = 65_536

/** The work of a lookaround that reads in the opposite direction. */
export interface LookaroundCost {
  /** The steps of each evaluation. */
  readonly checks: number
  /** Instead of `checks`, the steps for each character of a text, if it is evaluated at all of them. */
  readonly stepsPerUnit: number
}

/** Returns the work of a lookaround that reads in the opposite direction. */
export type CostOfLookaround = (automaton: Automaton) => LookaroundCost

/** Builds the automaton of an expression. Throws `PatternTooLarge` if it has too many states or edges. */
export function buildAutomaton(root: RegExpNode, isSticky: boolean, costOf: CostOfLookaround): Automaton {
  return new Builder(root, true, costOf, { left: maxStates }).whole(isSticky)
}

/** The automaton of a part of an expression. */
interface Fragment {
  /** The states of its first characters. */
  readonly first: readonly Way[]
  /** The states of its first characters if it begins at the start of the text. */
  readonly firstAtStart: readonly Way[]
  /** The states of its last characters. */
  readonly last: readonly Way[]
  /** The number of ways in which it matches without a character. */
  readonly empty: number
  readonly emptyAtStart: number
  /** Whether it matches without a character for any text. */
  readonly isOptional: boolean
  /** The number of checks without a character on entering it. */
  readonly checks: number
}

interface Way {
  readonly state: number
  readonly ways: number
  /** For last characters: whether the fragment is certain to match once this character has matched. */
  readonly isCertain: boolean
}

const nothing: Fragment = {
  first: [],
  firstAtStart: [],
  last: [],
  empty: 1,
  emptyAtStart: 0,
  isOptional: true,
  checks: 0,
}

class Builder {
  private readonly states: State[] = []
  private readonly root: RegExpNode
  private readonly isForward: boolean
  private readonly costOf: CostOfLookaround
  /** The remaining number of states and copies, shared with the automata of lookarounds. */
  private readonly budget: { left: number }
  private readonly sets = new Map<string, CharacterSet>()
  private edges = 0
  private quantifier = -1

  constructor(root: RegExpNode, isForward: boolean, costOf: CostOfLookaround, budget: { left: number }) {
    this.root = root
    this.isForward = isForward
    this.costOf = costOf
    this.budget = budget
  }

  whole(isSticky: boolean, body = this.root): Automaton {
    for (let atom = -2; atom < 0; atom++)
      this.states.push({
        set: anyCharacter,
        next: new Map(),
        checks: 0,
        isAccepting: false,
        lookbehindSteps: 0,
        atom,
        position: 0,
      })
    const fragment = this.fragment(body)
    if (!isSticky) this.connect([{ state: anyStart, ways: 1, isCertain: false }], fragment)
    const atStart = [...(isSticky ? fragment.first : []), ...fragment.firstAtStart]
    this.connect([{ state: textStart, ways: 1, isCertain: false }], { ...fragment, first: atStart })
    // The match of a lookaround does not end the search.
    if (body !== this.root) return { states: this.states }
    for (const { state, isCertain } of fragment.last) this.states[state]!.isAccepting ||= isCertain
    return { states: this.states }
  }

  private fragment(node: RegExpNode): Fragment {
    if (this.budget.left-- <= 0) throw new PatternTooLarge(Math.max(this.quantifier, 0))
    switch (node.kind) {
      case 'character':
        return this.character(node)
      case 'group':
        return this.fragment(node.body)
      case 'sequence': {
        const items = this.isForward ? node.items : node.items.toReversed()
        return items.reduce<Fragment>((whole, item) => this.sequence(whole, this.fragment(item)), nothing)
      }
      case 'alternatives':
        return alternatives(node.items.map((item) => this.fragment(item)))
      case 'repetition':
        return this.repetition(node)
      case 'lookaround':
        return this.lookaround(node)
      case 'assertion': {
        const atStartOnly = node.sign === '^' && this.isForward && !node.flags.includes('m')
        const [empty, emptyAtStart] = atStartOnly ? [0, 1] : [1, 0]
        return { ...nothing, empty, emptyAtStart, isOptional: false, checks: 1 }
      }
      default: {
        // At most as many characters as the group may have matched. This overestimates the number of ways.
        const longest = groupLength(this.root, node.to).most
        return this.anything(longest > maxGroupLength ? Infinity : longest, node.position)
      }
    }
  }

  private character({ source, flags, position }: CharacterNode): Fragment {
    const key = `${flags}/${source}`
    const set = this.sets.get(key) ?? characterSetOf(source, flags)
    this.sets.set(key, set)
    return this.state(set, position)
  }

  /** Returns a fragment of at most `most` characters, for an expression that the automaton does not model. */
  private anything(most: number, position: number): Fragment {
    const body = { kind: 'character', source: '[^]', flags: '', position } as const
    const quantifier = this.quantifier >= 0 ? this.quantifier : position
    const all = this.repetition({ kind: 'repetition', body, least: 0, most, isLazy: false, position: quantifier })
    return { ...all, last: scaled(all.last, 1, false), isOptional: false, checks: all.checks + 1 }
  }

  private state(set: CharacterSet, position: number): Fragment {
    const ways = [{ state: this.addState(set, position), ways: 1, isCertain: true }]
    return { ...nothing, first: ways, last: ways, empty: 0, isOptional: false }
  }

  private addState(set: CharacterSet, atom: number, lookbehindSteps = 0): number {
    const position = this.quantifier >= 0 ? this.quantifier : atom
    this.states.push({ set, next: new Map(), checks: 0, isAccepting: false, lookbehindSteps, atom, position })
    return this.states.length - 1
  }

  private repetition({ body, least, most, position }: RepetitionNode): Fragment {
    if (most === 0) return nothing
    const outer = this.quantifier
    this.quantifier = position
    let whole = nothing
    const required = most === Infinity ? Math.max(least - 1, 0) : least
    for (let copy = 0; copy < required; copy++) whole = this.sequence(whole, this.fragment(body))
    if (most === Infinity) whole = this.sequence(whole, this.loop(this.fragment(body), least > 0))
    else if (most > least) whole = this.sequence(whole, this.optional(body, most - least))
    this.quantifier = outer
    return whole
  }

  /** Returns the fragment of `x*` or `x+`. The engine rejects an iteration without a character, unless it is a required one. */
  private loop(body: Fragment, isRequired: boolean): Fragment {
    const again = iteration(body)
    this.connect(body.last, again)
    if (!isRequired) return { ...again, last: body.last, empty: 1, emptyAtStart: 0, isOptional: true }
    const { empty, emptyAtStart } = body
    const first = scaled(body.first, 1 + empty)
    const firstAtStart = [...scaled(body.firstAtStart, 1 + empty + emptyAtStart), ...scaled(body.first, emptyAtStart)]
    return { ...body, first, firstAtStart, checks: body.checks + (empty + emptyAtStart) * again.checks }
  }

  /** Returns the fragment of `x{0,n}`. Each iteration is nested in the previous one. */
  private optional(body: RegExpNode, most: number): Fragment {
    const copies: Fragment[] = []
    for (let copy = 0; copy < most; copy++) {
      const next = iteration(this.fragment(body))
      const before = copies.at(-1)
      if (before !== undefined) this.connect(before.last, next)
      copies.push(next)
    }
    const { first, firstAtStart, checks } = copies[0]!
    const last = copies.flatMap((copy) => copy.last)
    return { first, firstAtStart, last, checks, empty: 1, emptyAtStart: 0, isOptional: true }
  }

  private lookaround({ body, isBehind }: LookaroundNode): Fragment {
    const { first, firstAtStart, checks } = this.lookaroundBody(body, isBehind)
    return { ...nothing, first, firstAtStart, isOptional: false, checks: 1 + checks }
  }

  private lookaroundBody(body: RegExpNode, isBehind: boolean): Fragment {
    if (isBehind !== this.isForward) return this.fragment(body)
    const other = new Builder(this.root, !this.isForward, this.costOf, this.budget)
    const { checks, stepsPerUnit } = this.costOf(other.whole(false, body))
    if (stepsPerUnit === 0) return { ...nothing, checks }
    const first = [{ state: this.addState(anyCharacter, 0, stepsPerUnit), ways: 1, isCertain: false }]
    return { ...nothing, first, checks }
  }

  private sequence(one: Fragment, other: Fragment): Fragment {
    this.connect(one.last, other)
    return {
      first: [...one.first, ...scaled(other.first, one.empty)],
      firstAtStart: [
        ...one.firstAtStart,
        ...scaled(other.first, one.emptyAtStart),
        ...scaled(other.firstAtStart, one.empty + one.emptyAtStart),
      ],
      last: [...scaled(one.last, other.empty, other.isOptional), ...other.last],
      empty: one.empty * other.empty,
      emptyAtStart: one.emptyAtStart * (other.empty + other.emptyAtStart) + one.empty * other.emptyAtStart,
      isOptional: one.isOptional && other.isOptional,
      checks: one.checks + (one.empty + one.emptyAtStart) * other.checks,
    }
  }

  private connect(last: readonly Way[], { first, checks }: Fragment): void {
    this.edges += last.length * first.length
    if (this.edges > maxEdges) throw new PatternTooLarge(Math.max(this.quantifier, 0))
    for (const { state, ways } of last) {
      const from = this.states[state]!
      from.checks += ways * checks
      for (const to of first) from.next.set(to.state, (from.next.get(to.state) ?? 0) + ways * to.ways)
    }
  }
}

/** Returns an iteration that requires a character. On entering it, the ways without a character are tried too. */
function iteration(body: Fragment): Fragment {
  return { ...body, empty: 0, emptyAtStart: 0, checks: body.checks + body.empty + body.emptyAtStart }
}

function scaled(all: readonly Way[], by: number, isCertain = true): readonly Way[] {
  if (by === 0) return []
  return by === 1 && isCertain
    ? all
    : all.map((way) => ({ ...way, ways: way.ways * by, isCertain: way.isCertain && isCertain }))
}

function alternatives(all: readonly Fragment[]): Fragment {
  return {
    first: all.flatMap(({ first }) => first),
    firstAtStart: all.flatMap(({ firstAtStart }) => firstAtStart),
    last: all.flatMap(({ last }) => last),
    empty: all.reduce((sum, { empty }) => sum + empty, 0),
    emptyAtStart: all.reduce((sum, { emptyAtStart }) => sum + emptyAtStart, 0),
    isOptional: all.some(({ isOptional }) => isOptional),
    checks: all.reduce((sum, { checks }) => sum + checks, 0),
  }
}

import { anyCharacter, characterSetOf, type CharacterSet } from './character-sets.ts'
import { groupLength } from './match-length.ts'
import { PatternTooLargeError } from './syntax.ts'
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
  /** Not 0 if the state represents a lookaround: its steps for each character, assuming that it is evaluated at each. */
  readonly lookaroundSteps: number
  /** Offset in the pattern of the matched atom. Copies in a repetition share it. */
  readonly atomOffset: number
  /** Offset of the innermost enclosing quantifier; of the atom itself if it is not repeated. */
  readonly quantifierOffset: number
}

/** The state in which a match may start, at each character. */
export const anyStart = 0
/** The state in which a match that requires the start of the text begins. */
export const textStart = 1

/** The maximum number of nodes after repetitions are expanded, lookarounds included. It also limits the number of states. */
const maxNodes = 2_048
const maxEdges = 32_768
/** A backreference to a longer group is treated as unlimited. */
const maxGroupLength = 65_536

/** The work of a lookaround that reads in the opposite direction to the automaton that contains it, so that it has its own automaton. */
export interface LookaroundCost {
  /** The steps of one evaluation. */
  readonly stepsPerEvaluation: number
  /**
   * If not 0, the steps for each character of a text, assuming that the lookaround is evaluated at each; `stepsPerEvaluation` does not
   * include them.
   */
  readonly stepsPerUnit: number
}

/** Returns the work of such a lookaround from its automaton. */
export type CostOfLookaround = (automaton: Automaton) => LookaroundCost

/** Builds the automaton of an expression. Throws `PatternTooLargeError` if it has too many states or edges. */
export function buildAutomaton(root: RegExpNode, isSticky: boolean, costOf: CostOfLookaround): Automaton {
  return new Builder(root, true, costOf, { remaining: maxNodes }).build(isSticky)
}

/** The automaton of a part of an expression. */
interface Fragment {
  /** The states of its first characters. */
  readonly first: readonly WeightedState[]
  /** Further states of its first characters, only at the start of the text. */
  readonly firstAtStart: readonly WeightedState[]
  /** The states of its last characters. */
  readonly last: readonly WeightedState[]
  /** The number of ways in which it matches without a character. */
  readonly emptyWays: number
  /** The number of further ways to match without a character, only at the start of the text. */
  readonly emptyWaysAtStart: number
  /** Whether it matches without a character for any text. */
  readonly isOptional: boolean
  /** The number of checks without a character on entering it. */
  readonly checks: number
}

/** A state that a fragment begins or ends with. */
interface WeightedState {
  readonly state: number
  /** The number of ways from the start of the fragment to the state, or from it to the end, without another character. */
  readonly ways: number
  /** For last characters: whether the fragment is certain to match once this character has matched. */
  readonly isCertain: boolean
}

const emptyFragment: Fragment = {
  first: [],
  firstAtStart: [],
  last: [],
  emptyWays: 1,
  emptyWaysAtStart: 0,
  isOptional: true,
  checks: 0,
}

class Builder {
  private readonly states: State[] = []
  private readonly root: RegExpNode
  private readonly isForward: boolean
  private readonly costOf: CostOfLookaround
  /** The number of nodes that may still be expanded, shared with the automata of lookarounds. */
  private readonly nodeBudget: { remaining: number }
  private readonly sets = new Map<string, CharacterSet>()
  private edgeCount = 0
  /** The offset of the innermost quantifier; -1 outside of repetitions. */
  private quantifierOffset = -1

  constructor(root: RegExpNode, isForward: boolean, costOf: CostOfLookaround, nodeBudget: { remaining: number }) {
    this.root = root
    this.isForward = isForward
    this.costOf = costOf
    this.nodeBudget = nodeBudget
  }

  build(isSticky: boolean, body = this.root): Automaton {
    // The states `anyStart` and `textStart`, with offsets that no atom has.
    for (let atomOffset = -2; atomOffset < 0; atomOffset++)
      this.states.push({
        set: anyCharacter,
        next: new Map(),
        checks: 0,
        isAccepting: false,
        lookaroundSteps: 0,
        atomOffset,
        quantifierOffset: 0,
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
    if (this.nodeBudget.remaining-- <= 0) throw new PatternTooLargeError(Math.max(this.quantifierOffset, 0))
    switch (node.kind) {
      case 'character':
        return this.characterFragment(node)
      case 'group':
        return this.fragment(node.body)
      case 'sequence': {
        const items = this.isForward ? node.items : node.items.toReversed()
        return items.reduce<Fragment>((whole, item) => this.sequenceFragment(whole, this.fragment(item)), emptyFragment)
      }
      case 'alternatives':
        return alternativesFragment(node.items.map((item) => this.fragment(item)))
      case 'repetition':
        return this.repetitionFragment(node)
      case 'lookaround':
        return this.lookaroundFragment(node)
      case 'assertion': {
        const atStartOnly = node.symbol === '^' && this.isForward && !node.flags.includes('m')
        const [emptyWays, emptyWaysAtStart] = atStartOnly ? [0, 1] : [1, 0]
        return { ...emptyFragment, emptyWays, emptyWaysAtStart, isOptional: false, checks: 1 }
      }
      default: {
        // A backreference matches at most as many characters as its group. This overestimates the number of ways.
        const longest = groupLength(this.root, node.group).max
        return this.unsupportedFragment(longest > maxGroupLength ? Infinity : longest, node.position)
      }
    }
  }

  private characterFragment({ source, flags, position }: CharacterNode): Fragment {
    const key = `${flags}/${source}`
    const set = this.sets.get(key) ?? characterSetOf(source, flags)
    this.sets.set(key, set)
    return this.stateFragment(set, position)
  }

  /** Returns a fragment of at most `max` characters, for an expression that the automaton does not model. */
  private unsupportedFragment(max: number, position: number): Fragment {
    const body = { kind: 'character', source: '[^]', flags: '', position } as const
    const quantifierOffset = this.quantifierOffset >= 0 ? this.quantifierOffset : position
    const all = this.repetitionFragment({
      kind: 'repetition',
      body,
      min: 0,
      max,
      isLazy: false,
      position: quantifierOffset,
    })
    return { ...all, last: scaleWays(all.last, 1, false), isOptional: false, checks: all.checks + 1 }
  }

  private stateFragment(set: CharacterSet, position: number): Fragment {
    const ways = [{ state: this.addState(set, position), ways: 1, isCertain: true }]
    return { ...emptyFragment, first: ways, last: ways, emptyWays: 0, isOptional: false }
  }

  private addState(set: CharacterSet, atomOffset: number, lookaroundSteps = 0): number {
    const quantifierOffset = this.quantifierOffset >= 0 ? this.quantifierOffset : atomOffset
    this.states.push({
      set,
      next: new Map(),
      checks: 0,
      isAccepting: false,
      lookaroundSteps,
      atomOffset,
      quantifierOffset,
    })
    return this.states.length - 1
  }

  private repetitionFragment({ body, min, max, position }: RepetitionNode): Fragment {
    if (max === 0) return emptyFragment
    const outerOffset = this.quantifierOffset
    this.quantifierOffset = position
    let whole = emptyFragment
    const required = max === Infinity ? Math.max(min - 1, 0) : min
    for (let copy = 0; copy < required; copy++) whole = this.sequenceFragment(whole, this.fragment(body))
    if (max === Infinity) whole = this.sequenceFragment(whole, this.loopFragment(this.fragment(body), min > 0))
    else if (max > min) whole = this.sequenceFragment(whole, this.optionalFragment(body, max - min))
    this.quantifierOffset = outerOffset
    return whole
  }

  /**
   * Returns the fragment of `x*`, or of `x+` with `isRequired`. The engine rejects an iteration without a character, except the required
   * one of `x+`.
   */
  private loopFragment(body: Fragment, isRequired: boolean): Fragment {
    const again = iteration(body)
    this.connect(body.last, again)
    if (!isRequired) return { ...again, last: body.last, emptyWays: 1, emptyWaysAtStart: 0, isOptional: true }
    const { emptyWays, emptyWaysAtStart } = body
    const first = scaleWays(body.first, 1 + emptyWays)
    const firstAtStart = [
      ...scaleWays(body.firstAtStart, 1 + emptyWays + emptyWaysAtStart),
      ...scaleWays(body.first, emptyWaysAtStart),
    ]
    return { ...body, first, firstAtStart, checks: body.checks + (emptyWays + emptyWaysAtStart) * again.checks }
  }

  /** Returns the fragment of `x{0,n}`. Each iteration is nested in the previous one. */
  private optionalFragment(body: RegExpNode, max: number): Fragment {
    const copies: Fragment[] = []
    for (let copy = 0; copy < max; copy++) {
      const next = iteration(this.fragment(body))
      const before = copies.at(-1)
      if (before !== undefined) this.connect(before.last, next)
      copies.push(next)
    }
    const { first, firstAtStart, checks } = copies[0]!
    const last = copies.flatMap((copy) => copy.last)
    return { first, firstAtStart, last, checks, emptyWays: 1, emptyWaysAtStart: 0, isOptional: true }
  }

  private lookaroundFragment({ body, isBehind }: LookaroundNode): Fragment {
    const { first, firstAtStart, checks } = this.lookaroundBody(body, isBehind)
    return { ...emptyFragment, first, firstAtStart, isOptional: false, checks: 1 + checks }
  }

  /**
   * Returns the fragment of a lookaround. One that reads in the direction of this automaton is part of it; of another one, only the work is
   * known.
   */
  private lookaroundBody(body: RegExpNode, isBehind: boolean): Fragment {
    if (isBehind !== this.isForward) return this.fragment(body)
    const other = new Builder(this.root, !this.isForward, this.costOf, this.nodeBudget)
    const { stepsPerEvaluation, stepsPerUnit } = this.costOf(other.build(false, body))
    if (stepsPerUnit === 0) return { ...emptyFragment, checks: stepsPerEvaluation }
    const first = [{ state: this.addState(anyCharacter, 0, stepsPerUnit), ways: 1, isCertain: false }]
    return { ...emptyFragment, first, checks: stepsPerEvaluation }
  }

  private sequenceFragment(one: Fragment, other: Fragment): Fragment {
    this.connect(one.last, other)
    return {
      first: [...one.first, ...scaleWays(other.first, one.emptyWays)],
      firstAtStart: [
        ...one.firstAtStart,
        ...scaleWays(other.first, one.emptyWaysAtStart),
        ...scaleWays(other.firstAtStart, one.emptyWays + one.emptyWaysAtStart),
      ],
      last: [...scaleWays(one.last, other.emptyWays, other.isOptional), ...other.last],
      emptyWays: one.emptyWays * other.emptyWays,
      emptyWaysAtStart:
        one.emptyWaysAtStart * (other.emptyWays + other.emptyWaysAtStart) + one.emptyWays * other.emptyWaysAtStart,
      isOptional: one.isOptional && other.isOptional,
      checks: one.checks + (one.emptyWays + one.emptyWaysAtStart) * other.checks,
    }
  }

  /** Adds an edge from each last state to each first state of a fragment. */
  private connect(last: readonly WeightedState[], { first, checks }: Fragment): void {
    this.edgeCount += last.length * first.length
    if (this.edgeCount > maxEdges) throw new PatternTooLargeError(Math.max(this.quantifierOffset, 0))
    for (const { state, ways } of last) {
      const from = this.states[state]!
      from.checks += ways * checks
      for (const to of first) from.next.set(to.state, (from.next.get(to.state) ?? 0) + ways * to.ways)
    }
  }
}

/** Returns an iteration that requires a character. On entering it, the ways without a character are tried too. */
function iteration(body: Fragment): Fragment {
  return { ...body, emptyWays: 0, emptyWaysAtStart: 0, checks: body.checks + body.emptyWays + body.emptyWaysAtStart }
}

/** Returns states with their ways multiplied. With `mayBeCertain` false, none of them is certain to match. */
function scaleWays(states: readonly WeightedState[], factor: number, mayBeCertain = true): readonly WeightedState[] {
  if (factor === 0) return []
  return factor === 1 && mayBeCertain
    ? states
    : states.map((each) => ({ ...each, ways: each.ways * factor, isCertain: each.isCertain && mayBeCertain }))
}

function alternativesFragment(all: readonly Fragment[]): Fragment {
  return {
    first: all.flatMap(({ first }) => first),
    firstAtStart: all.flatMap(({ firstAtStart }) => firstAtStart),
    last: all.flatMap(({ last }) => last),
    emptyWays: all.reduce((sum, { emptyWays }) => sum + emptyWays, 0),
    emptyWaysAtStart: all.reduce((sum, { emptyWaysAtStart }) => sum + emptyWaysAtStart, 0),
    isOptional: all.some(({ isOptional }) => isOptional),
    checks: all.reduce((sum, { checks }) => sum + checks, 0),
  }
}

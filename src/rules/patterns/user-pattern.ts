import type { ConfigurationProblem } from '../../record/problems.ts'
import { intersects } from './char-set.ts'
import { expressionParts, type Part } from './expression-parts.ts'
import type { TextPattern } from './text-pattern.ts'

/** The most that a part may be repeated. */
const mostRepetitions = 256
/** The most ways that optional parts and choices may be combined in. */
const mostWays = 256

/**
 * Makes a pattern of a user's expression, or says why its time on a text could grow faster than the text: a part that is
 * repeated without a limit, inside another one, or next to one that takes the same characters. Each is bounded, so that a text is
 * read in one pass.
 */
export function userPattern(given: RegExp, censor: string): TextPattern | Omit<ConfigurationProblem, 'path'> {
  // A copy: flags that carry something from one text to the next are ours.
  const expression = new RegExp(given.source, `${given.flags.replaceAll(/[gyd]/g, '')}g`)
  const alternatives = expressionParts(expression)
  const problem = problemOf(alternatives) ?? waysProblem(alternatives)
  if (problem !== undefined) return { code: 'SLUICE_PATTERN_UNBOUNDED', ...problem }
  const [least, longest] = lengthOf(alternatives)
  if (least === 0) return { code: 'SLUICE_OPTION_RANGE', message: 'matches the empty text, which stands everywhere' }
  return {
    least,
    // Outside of the Basic Multilingual Plane a character has two units.
    longest: 2 * longest,
    anchors: [],
    // Without `g`, which remembers where it was.
    expression: new RegExp(expression.source, expression.flags.replace('g', '')),
    find({ text, end }, found) {
      expression.lastIndex = 0
      for (let match = expression.exec(text); match !== null && match.index < end; match = expression.exec(text))
        found.push({ from: match.index, to: expression.lastIndex, censor })
    },
  }
}

type Alternatives = readonly (readonly Part[])[]

interface Problem {
  readonly position: number
  readonly message: string
}

function problemOf(alternatives: Alternatives): Problem | undefined {
  for (const parts of alternatives) {
    for (const [index, part] of parts.entries()) {
      const problem = problemAt(part) ?? overlapOf(part, parts.slice(index + 1))
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function problemAt(part: Part): Problem | undefined {
  const { most, sign, position, alternatives, isAssertion, isBackreference } = part
  if (most > mostRepetitions)
    return { position: sign, message: `repeats without a limit or more than ${mostRepetitions} times; write {1,64}` }
  if (isBackreference) return { position, message: 'refers to what another part has taken; write it out' }
  if (alternatives === undefined) return undefined
  const inner = alternatives.flat().find(isVariable)
  if (inner !== undefined && (most > 1 || isAssertion))
    return { position: inner.sign, message: 'repeats inside of what is repeated or only looked at; write it out' }
  if (most > 1 && alternatives.length > 1)
    return { position: sign, message: 'repeats a choice; write [ab] for (?:a|b), or the choices one after the other' }
  return problemOf(alternatives)
}

/** Whether a part may take more or fewer characters than it has taken. */
function isVariable({ least, most, alternatives }: Part): boolean {
  return (
    least !== most || (alternatives !== undefined && (alternatives.length > 1 || alternatives.flat().some(isVariable)))
  )
}

/** Whether it may take many more or fewer. */
function isRepetition({ least, most, alternatives }: Part): boolean {
  return (most > 1 && least !== most) || (alternatives !== undefined && alternatives.flat().some(isRepetition))
}

/** A repetition behind it that could take what this one has taken, with nothing certain between them. */
function overlapOf(part: Part, behind: readonly Part[]): Problem | undefined {
  if (!isRepetition(part)) return undefined
  for (const other of behind) {
    if (other.isAssertion) continue
    const isSame = intersects(part.set, other.set)
    if (isSame && isRepetition(other))
      return { position: other.sign, message: 'repeats characters that the repetition before it takes as well' }
    if (!isSame && other.least > 0) return undefined
  }
  return undefined
}

/** Each optional part doubles the ways, and each choice multiplies them whose alternatives may begin alike. */
function waysProblem(alternatives: Alternatives): Problem | undefined {
  let ways = 1
  let problem: Problem | undefined
  function count(inner: Alternatives): void {
    for (const part of inner.flat()) {
      if (part.least === 0 && part.most === 1) ways *= 2
      if (part.alternatives !== undefined && beginAlike(part.alternatives)) ways *= part.alternatives.length
      if (ways > mostWays)
        problem ??= { position: part.position, message: 'has too many optional parts and choices before it' }
      if (part.alternatives !== undefined) count(part.alternatives)
    }
  }
  count(alternatives)
  return problem
}

function beginAlike(alternatives: Alternatives): boolean {
  const firsts = alternatives.map((parts) => parts.find(({ isAssertion }) => !isAssertion)?.set ?? [])
  return firsts.some((first, index) => firsts.slice(index + 1).some((other) => intersects(first, other)))
}

/** The fewest characters that it takes, and the most that it takes or looks at. */
function lengthOf(alternatives: Alternatives): readonly [least: number, most: number] {
  const all = alternatives.map((parts) =>
    parts.reduce(
      ([least, most], part) => {
        const [fewest, longest] = part.alternatives === undefined ? ([1, 1] as const) : lengthOf(part.alternatives)
        return [least + (part.isAssertion ? 0 : fewest * part.least), most + longest * part.most] as const
      },
      [0, 0] as readonly [number, number],
    ),
  )
  return [Math.min(...all.map(([least]) => least)), Math.max(...all.map(([, most]) => most))]
}

import type { RegExpNode } from '../../redact/regexp/nodes.ts'
import { boundSteps } from '../../redact/regexp/step-bound.ts'
import { parseRegExp } from '../../redact/regexp/syntax.ts'

/** The maximum number of steps of a search without a time limit. So many steps take up to some 100 ms. */
const maxDirectSteps = 20_000_000

/**
 * Returns the length of the longest texts that an expression without loops searches in at most `maxDirectSteps` steps, in UTF-16 units. It
 * is 0 for other expressions. It takes some microseconds.
 */
export function directLengthWithoutLoops(expression: RegExp): number {
  try {
    const { paths, length } = pathsOf(parseRegExp(expression))
    const steps = paths * (length + 1)
    return steps <= maxStepsPerUnit ? Math.floor(maxDirectSteps / steps) : 0
  } catch {
    // The expression is too large, or has unknown syntax.
    return 0
  }
}

/**
 * Returns the length of the longest texts that an expression searches in at most `maxDirectSteps` steps, whatever the text is, in UTF-16
 * units. It is 0 if the steps cannot be bounded. It can take longer than a second.
 */
export function directLength(expression: RegExp): number {
  const { stepsPerUnit, position } = boundSteps(expression, { textLength: Infinity, limit: maxDirectSteps })
  if (position === undefined) return Math.floor(maxDirectSteps / Math.max(1, stepsPerUnit))
  return triedLengths.find((length) => hasBound(expression, length)) ?? 0
}

/** The lengths for which the steps of an expression are counted if they grow faster than the text. */
const triedLengths = [4_096, 1_024, 256, 64]

function hasBound(expression: RegExp, textLength: number): boolean {
  return boundSteps(expression, { textLength, limit: maxDirectSteps / textLength }).position === undefined
}

const maxStepsPerUnit = 1_024

/** The paths through an expression from one start, and the length of the longest one. */
interface Paths {
  readonly paths: number
  readonly length: number
}

const unknown: Paths = { paths: Infinity, length: Infinity }

function pathsOf(node: RegExpNode): Paths {
  switch (node.kind) {
    case 'character':
      return { paths: 1, length: 1 }
    case 'assertion':
      return { paths: 1, length: 0 }
    case 'group':
      return pathsOf(node.body)
    case 'sequence':
      return node.items.map(pathsOf).reduce(inSequence, { paths: 1, length: 0 })
    case 'alternatives': {
      const all = node.items.map(pathsOf)
      return {
        paths: all.reduce((sum, { paths }) => sum + paths, 0),
        length: Math.max(...all.map(({ length }) => length)),
      }
    }
    case 'repetition':
      return repeated(pathsOf(node.body), node.min, node.max)
    default:
      return unknown
  }
}

function inSequence(before: Paths, after: Paths): Paths {
  return { paths: before.paths * after.paths, length: before.length + after.length }
}

function repeated(body: Paths, min: number, max: number): Paths {
  if (max > maxRepetitions) return unknown
  let paths = 0
  for (let times = min; times <= max; times++) paths += body.paths ** times
  return { paths, length: body.length * max }
}

const maxRepetitions = 64

import * as fc from 'fast-check'
import type { RedactOptions } from '../../../src/redact/redact.ts'

/** One step of a path through parsed output. */
export interface Step {
  readonly key: string
  readonly isIndex: boolean
}

/** A string in parsed output, and the steps that lead to it. */
export interface Leaf {
  readonly steps: readonly Step[]
  readonly text: string
}

/** A rule for one value of the output, and the paths of the output that it may redact. */
interface PathRule {
  readonly redact: RedactOptions
  mayRedact(steps: readonly Step[]): boolean
}

const mark = /zq[A-Z]{6}/g

/** Strings that occur nowhere else in the output; each call returns another one. */
export function canaries(): () => string {
  let count = 0
  return () => {
    const number = count++
    return `zq${String.fromCharCode(...[5, 4, 3, 2, 1, 0].map((power) => 65 + (Math.floor(number / 26 ** power) % 26)))}`
  }
}

/** The canaries in a text, each once. */
export function canariesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(mark))
}

/** Every string below a parsed value that holds a canary. */
export function leavesOf(value: unknown, steps: readonly Step[] = []): Leaf[] {
  if (typeof value === 'string') return canariesIn(value).size > 0 ? [{ steps, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  const isIndex = Array.isArray(value)
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...steps, { key, isIndex }]))
}

/** The ways to write a rule for one leaf. */
const spellings = [
  'exact',
  'items',
  'members',
  'mixed',
  'deep',
  'deepSuffix',
  'ancestor',
  'ancestorItems',
  'keys',
] as const

/** A way to write a rule, and numbers that decide where it has wildcards. */
export const spelled: fc.Arbitrary<Spelled> = fc.record({ spelling: fc.constantFrom(...spellings), choice: fc.nat() })

interface Spelled {
  readonly spelling: (typeof spellings)[number]
  readonly choice: number
}

/** Writes a rule for a leaf. undefined: this way of writing names nothing, as `keys` for a list without a name. */
function ruleFor(steps: readonly Step[], { spelling, choice }: Spelled): PathRule | undefined {
  const exact = steps.map(written)
  const last = steps.at(-1)!
  switch (spelling) {
    case 'exact':
      return pathRule(exact)
    case 'items':
      return pathRule(steps.map((step) => (step.isIndex ? '[*]' : written(step))))
    case 'members':
      return pathRule(steps.map((step, index) => (index > 0 && index === steps.length - 1 ? '*' : written(step))))
    case 'mixed':
      return pathRule(steps.map((step, index) => ((choice >> (index % 20)) & 1 ? '*' : written(step))))
    case 'deep':
      return pathRule(['**', written(last)])
    case 'deepSuffix':
      return pathRule(['**', ...exact.slice(choice % exact.length)])
    case 'ancestor':
      return pathRule(exact.slice(0, 1 + (choice % exact.length)))
    case 'ancestorItems':
      return pathRule(steps.map((step) => (step.isIndex ? '[*]' : written(step))).slice(0, 1 + (choice % exact.length)))
    default: {
      const named = steps.findLast((step) => !step.isIndex)
      if (named === undefined || /^\d+$/.test(named.key)) return undefined
      const same = (key: string) => plain(key) === plain(named.key)
      return { redact: { keys: [named.key] }, mayRedact: (others) => others.some((other) => same(other.key)) }
    }
  }
}

/** A rule that was written for one of the leaves of an output, and what it must do to the others. */
export interface Question {
  readonly redact: RedactOptions
  /** Canaries that must go: the rule names every place at which they are shown. */
  readonly going: readonly string[]
  /** Canaries that must stay: they are shown at a place that the rule does not name in any way. */
  readonly staying: readonly string[]
  /** Whether the leaf that the rule was written for is among others. */
  isAmong(leaves: readonly Leaf[]): boolean
}

/**
 * Writes a rule for one of the leaves of an output. undefined: there is none, or it has no such rule.
 *
 * @param aliases - returns every path by which a rule may name a value, the one at which it is shown included
 */
export function questionAbout(
  leaves: readonly Leaf[],
  which: number,
  way: Spelled,
  aliases: (steps: readonly Step[]) => readonly (readonly Step[])[],
): Question | undefined {
  const leaf = leaves[which % leaves.length]
  const rule = leaf && ruleFor(leaf.steps, way)
  if (leaf === undefined || rule === undefined) return undefined
  const named = (steps: readonly Step[]): boolean => rule.mayRedact(steps)
  const unnamed = canariesAt(leaves.filter(({ steps }) => !named(steps)))
  return {
    redact: rule.redact,
    going: [...canariesIn(leaf.text)].filter((canary) => !unnamed.has(canary)),
    staying: [...canariesAt(leaves.filter(({ steps }) => !aliases(steps).some(named)))],
    isAmong: (others) => others.some(({ steps, text }) => isSame(steps, leaf.steps) && text === leaf.text),
  }
}

/** The canaries of leaves. */
export function canariesAt(leaves: readonly Leaf[]): ReadonlySet<string> {
  return canariesIn(leaves.map(({ text }) => text).join())
}

function isSame(one: readonly Step[], other: readonly Step[]): boolean {
  return one.length === other.length && one.every(({ key }, index) => key === other[index]!.key)
}

/**
 * A path, and those to the same value where the second of two in a list of lists is a member that the first one names: `*` covers
 * it as it covers a member.
 */
export function pathsThroughPairs(steps: readonly Step[]): (readonly Step[])[] {
  const all = [steps]
  for (let index = 1; index < steps.length; index++) {
    if (steps[index]!.key !== '1' || !steps[index]!.isIndex || !steps[index - 1]!.isIndex) continue
    const member = { key: '?', isIndex: false }
    all.push(...pathsThroughPairs([...steps.slice(0, index - 1), member, ...steps.slice(index + 1)]))
  }
  return all
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, '')
}

function written({ key, isIndex }: Step): string {
  return isIndex ? `[${key}]` : `[${JSON.stringify(key)}]`
}

function pathRule(segments: readonly string[]): PathRule {
  const path = segments.reduce(
    (text, segment) => text + (text === '' || segment.startsWith('[') ? '' : '.') + segment,
    '',
  )
  const names = segments.map((segment) =>
    segment.startsWith('[') && segment !== '[*]' ? (JSON.parse(segment.slice(1, -1)) as string | number) : segment,
  )
  return { redact: { paths: [path] }, mayRedact: (steps) => matches(names.map(String), steps) }
}

/** Whether a path leads to a value or to what is around it; not the automaton of the package, on purpose. */
function matches(names: readonly string[], steps: readonly Step[]): boolean {
  const [name, ...rest] = names
  if (name === undefined) return true
  if (name === '**') return steps.some((_, index) => matches(rest, steps.slice(index)))
  const [step] = steps
  if (step === undefined) return false
  return (name === '*' || name === '[*]' || name === step.key) && matches(rest, steps.slice(1))
}

const names = ['a', 'b', 'user', 'auth-Token', 'x y', 'args', 'list', 'message', 'err', 'type', 'constructor']

class Account {
  get owner(): string {
    return 'nobody'
  }
}

/** Values with canaries in objects, lists, collections, classes, Errors and results of `toJSON`. */
export function values(next: () => string): fc.Arbitrary<object> {
  const { object } = fc.letrec<{ object: object; value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constant(undefined).map(() => next()),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc
      .tuple(
        fc.constantFrom('plain', 'plain', 'class', 'map', 'toJSON', 'set', 'null'),
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
        fc.array(tie('value'), { minLength: 3, maxLength: 3 }),
      )
      .map(([shape, keys, members]) =>
        shaped(
          shape,
          keys.map((key, index) => [key, members[index]] as const),
        ),
      ),
  }))
  return object
}

function shaped(shape: string, entries: readonly (readonly [string, unknown])[]): object {
  const plainObject = Object.fromEntries(entries)
  switch (shape) {
    case 'class':
      return Object.assign(new Account(), plainObject)
    case 'map':
      return new Map(entries)
    case 'toJSON':
      return { toJSON: () => plainObject }
    case 'set':
      return { ...plainObject, set: new Set(entries.map(([, value]) => value)) }
    case 'null':
      return Object.assign(Object.create(null) as object, plainObject)
    default:
      return plainObject
  }
}

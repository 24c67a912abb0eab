import * as fc from 'fast-check'
import type { RedactOptions } from '../../../src/redact/redact.ts'

/** One step of a path through parsed output. */
export interface Step {
  readonly key: string
  readonly isIndex: boolean
}

/** A string in parsed output and its path. */
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

/** Returns a generator of strings that occur nowhere else in the output. */
export function canaries(): () => string {
  let count = 0
  return () => {
    const number = count++
    return `zq${String.fromCharCode(...[5, 4, 3, 2, 1, 0].map((power) => 65 + (Math.floor(number / 26 ** power) % 26)))}`
  }
}

/** Returns the distinct canaries in a text. */
export function canariesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(mark))
}

/** Returns every string with a canary in a parsed value. */
export function leavesOf(value: unknown, steps: readonly Step[] = []): Leaf[] {
  if (typeof value === 'string') return canariesIn(value).size > 0 ? [{ steps, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  const isIndex = Array.isArray(value)
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...steps, { key, isIndex }]))
}

/** The kinds of rules for one leaf. */
const ruleKinds = [
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

/** Generates kinds of rules, with numbers that determine their wildcards. */
export const ruleVariants: fc.Arbitrary<RuleVariant> = fc.record({
  kind: fc.constantFrom(...ruleKinds),
  choice: fc.nat(),
})

interface RuleVariant {
  readonly kind: (typeof ruleKinds)[number]
  readonly choice: number
}

/** Creates a rule for a leaf. Returns undefined if the kind does not apply, such as `keys` for a list without a name. */
function ruleFor(steps: readonly Step[], { kind, choice }: RuleVariant): PathRule | undefined {
  const exact = steps.map(written)
  const last = steps.at(-1)!
  switch (kind) {
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

/** A rule for one of the leaves of an output, and its expected effect on all canaries. */
export interface RedactionCase {
  readonly redact: RedactOptions
  /** The canaries that must be redacted: the rule matches every path at which they occur. */
  readonly redacted: readonly string[]
  /** The canaries that must not be redacted: they occur at a path that the rule does not match. */
  readonly unredacted: readonly string[]
  /** Returns whether the leaf of the rule is among others. */
  isAmong(leaves: readonly Leaf[]): boolean
}

/**
 * Creates a rule for one of the leaves of an output. Returns undefined if there is no leaf or the kind does not apply.
 *
 * @param aliases - returns every path by which a rule may match a value, including its path in the output
 */
export function redactionCase(
  leaves: readonly Leaf[],
  which: number,
  variant: RuleVariant,
  aliases: (steps: readonly Step[]) => readonly (readonly Step[])[],
): RedactionCase | undefined {
  const leaf = leaves[which % leaves.length]
  const rule = leaf && ruleFor(leaf.steps, variant)
  if (leaf === undefined || rule === undefined) return undefined
  const named = (steps: readonly Step[]): boolean => rule.mayRedact(steps)
  const unnamed = canariesAt(leaves.filter(({ steps }) => !named(steps)))
  return {
    redact: rule.redact,
    redacted: [...canariesIn(leaf.text)].filter((canary) => !unnamed.has(canary)),
    unredacted: [...canariesAt(leaves.filter(({ steps }) => !aliases(steps).some(named)))],
    isAmong: (others) => others.some(({ steps, text }) => isSame(steps, leaf.steps) && text === leaf.text),
  }
}

/** Returns the canaries in leaves. */
export function canariesAt(leaves: readonly Leaf[]): ReadonlySet<string> {
  return canariesIn(leaves.map(({ text }) => text).join())
}

function isSame(one: readonly Step[], other: readonly Step[]): boolean {
  return one.length === other.length && one.every(({ key }, index) => key === other[index]!.key)
}

/**
 * Returns a path and its aliases, where the second item of a pair in a list is a member whose name is the first item: `*` matches it
 * like a member.
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

/** Returns whether a path matches a value or one of its ancestors. Deliberately independent of the automaton in src. */
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

/** Generates values with canaries in objects, lists, collections, classes and results of `toJSON`. */
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

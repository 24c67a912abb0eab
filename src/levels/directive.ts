import type { AnyValue } from '../record/any-value.ts'
import { resolveLevel, type LevelThresholds, type ResolvedLevel } from './resolve-level.ts'
import { literalPrefixLength, matchesPattern } from './name-pattern.ts'

/** A condition of a directive: the record has the attribute `key`, whose value as text is `value`. */
export interface Predicate {
  readonly key: string
  readonly value: string
}

/** One directive, such as `db.*[tenant=acme]=debug`: the level of the loggers whose name matches, for records that match. */
export interface Directive {
  /** The name of loggers, or a pattern with `*` and `?`; undefined if the directive names no logger. */
  readonly pattern: string | undefined
  readonly predicates: readonly Predicate[]
  /** The name of the level as it was written. Each logger resolves it with its own levels. */
  readonly level: string
  /** The directive as it was written. */
  readonly text: string
}

/** What is wrong in a text with directives, and where. */
export interface DirectiveProblem {
  /** Offset in the text, in UTF-16 units. */
  readonly position: number
  /** One sentence without a period: what is wrong and what to do. */
  readonly message: string
}

/** Values by which predicates are tested: the attributes of the records of one logger at the time of the call. */
export interface AttributeSource {
  /** Returns the value of an attribute, or the ID of the current span for `trace_id` and `span_id`; undefined without one. */
  attributeOf(key: string): AnyValue | undefined
}

/** Returns whether a directive names no logger and has no predicates: `info`. */
export function isBareLevel({ pattern, predicates }: Directive): boolean {
  return pattern === undefined && predicates.length === 0
}

/** Returns whether a directive applies to loggers with a name, for records that match its predicates. */
export function appliesToName({ pattern }: Directive, name: string): boolean {
  return pattern === undefined || matchesPattern(name, pattern)
}

/** A directive that applies to the name of a logger, with the level that it sets for the logger. */
export interface ApplicableDirective {
  readonly directive: Directive
  readonly level: ResolvedLevel
}

/**
 * Returns the directives that apply to a logger, the one with the highest precedence first: the one with more predicates, then with the
 * exact name, then with the longer literal prefix, then the last one. The list ends with the first directive without predicates. Directives
 * with a level that the logger does not have are ignored.
 */
export function directivesForLogger(
  directives: readonly Directive[],
  name: string,
  levels: LevelThresholds,
): readonly ApplicableDirective[] {
  const applicable = directives.flatMap((directive) => {
    const level = appliesToName(directive, name) ? resolveLevel(directive.level, levels) : undefined
    return level === undefined ? [] : [{ directive, level }]
  })
  // Reversed first, because sorting is stable: of equal directives, the last one has precedence.
  const sorted = applicable.toReversed().toSorted((a, b) => comparePrecedence(a.directive, b.directive))
  const unconditional = sorted.findIndex(({ directive }) => directive.predicates.length === 0)
  return unconditional < 0 ? sorted : sorted.slice(0, unconditional + 1)
}

/** Returns whether all predicates match the attributes of a record. */
export function arePredicatesMet(predicates: readonly Predicate[], source: AttributeSource): boolean {
  for (let i = 0; i < predicates.length; i++) {
    const { key, value } = predicates[i]!
    const actual = source.attributeOf(key)
    if (actual === value) continue
    // Numbers, booleans and bigints are compared as text. Objects are not converted.
    if (actual === undefined || actual === null || typeof actual === 'string' || typeof actual === 'object')
      return false
    if (String(actual) !== value) return false
  }
  return true
}

function comparePrecedence(a: Directive, b: Directive): number {
  return b.predicates.length - a.predicates.length || specificity(b) - specificity(a)
}

function specificity({ pattern }: Directive): number {
  if (pattern === undefined) return 0
  const prefixLength = literalPrefixLength(pattern)
  return prefixLength === pattern.length ? Infinity : prefixLength
}

import type { Delivery } from '../pipeline/exporter.ts'
import { ConfigurationError, type ConfigurationProblem } from '../record/problems.ts'

/** What a value must be. */
export interface OptionRule {
  /** In words, after "must be". */
  readonly expected: string
  /** The results of `typeof` that are right, with `null` for null. */
  readonly types: readonly string[]
  /** Whether a value of the right type is in bounds. */
  allows(value: unknown): boolean
}

/** The rules of a function's options by name. An option that is `undefined` counts as not given. */
export type OptionRules = Readonly<Record<string, OptionRule>>

/**
 * Finds everything that is wrong in a function's options.
 *
 * @param owner the function: paths read `fileExporter.path`.
 * @param required the options that must be given.
 */
export function optionProblems(
  owner: string,
  options: object,
  rules: OptionRules,
  required: readonly string[] = [],
): ConfigurationProblem[] {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return [{ code: 'SLUICE_OPTION_TYPE', path: owner, message: 'the options must be an object' }]
  }
  const given = options as Readonly<Record<string, unknown>>
  const names = [...required.filter((name) => given[name] === undefined), ...Object.keys(given)]
  return [...new Set(names)].flatMap((name) => {
    const path = `${owner}.${name}`
    const rule = Object.hasOwn(rules, name) ? rules[name]! : undefined
    const code = rule === undefined ? 'SLUICE_OPTION_UNKNOWN' : faultOf(rule, given[name], required.includes(name))
    if (code === undefined) return []
    const known = Object.keys(rules).join(', ')
    return [{ code, path, message: rule === undefined ? `no such option; known are ${known}` : `must be ${rule.expected}` }]
  })
}

/** Throws one error that lists all problems, if there are any. */
export function refuse(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

export const text: OptionRule = {
  expected: 'a string that is not empty',
  types: ['string'],
  allows: (value) => value !== '',
}

export const flag: OptionRule = { expected: 'true or false', types: ['boolean'], allows: () => true }

export function atLeast(least: number): OptionRule {
  return {
    expected: `an integer from ${least}`,
    types: ['number'],
    allows: (value) => Number.isSafeInteger(value) && (value as number) >= least,
  }
}

export function oneOf(...words: readonly string[]): OptionRule {
  const expected = `one of ${words.map((word) => `'${word}'`).join(', ')}`
  return { expected, types: ['string'], allows: (value) => words.includes(value as string) }
}

/** The rules of the options that every exporter takes. */
export const deliveryRules: Readonly<Record<keyof Delivery, OptionRule>> = {
  level: text,
  maxQueueSize: atLeast(1),
  maxQueueBytes: atLeast(1),
  maxExportBatchSize: atLeast(1),
  scheduledDelayMillis: atLeast(0),
  exportTimeoutMillis: atLeast(0),
  onFull: oneOf('dropLowest', 'dropNewest', 'dropOldest', 'block'),
}

/** The part of an exporter's options that belongs to its pipeline. */
export function deliveryOf(options: Delivery): Delivery {
  return given(options, Object.keys(deliveryRules) as (keyof Delivery)[])
}

/** The named options that have a value. */
export function given<T extends object, K extends keyof T>(options: T, names: readonly K[]): Pick<T, K> {
  const entries = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]])
  return Object.fromEntries(entries) as Pick<T, K>
}

function faultOf(rule: OptionRule, value: unknown, required: boolean): string | undefined {
  if (value === undefined) return required ? 'SLUICE_OPTION_TYPE' : undefined
  if (!rule.types.includes(value === null ? 'null' : typeof value)) return 'SLUICE_OPTION_TYPE'
  return rule.allows(value) ? undefined : 'SLUICE_OPTION_RANGE'
}

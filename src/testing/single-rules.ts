import { withoutPrototype } from '../options/own-members.ts'
import type { RedactPattern } from '../redact/patterns/compile-patterns.ts'
import type { Redact, RedactOptions } from '../redact/redact.ts'

/** One rule of the option `redact`. */
export interface SingleRule {
  /** The rule as it is written in the options, after the name of the option. */
  readonly name: string
  /** Options with this rule only. */
  readonly redact: RedactOptions
}

/**
 * Returns each rule of valid options on its own, with the replacement that the options contain.
 *
 * @param redact - valid options
 */
export function singleRules(redact: Redact): SingleRule[] {
  const {
    paths = [],
    keys = [],
    patterns = [],
    credentialHeaders = true,
    ...replacement
  } = withoutPrototype(Array.isArray(redact) ? { paths: redact as readonly string[] } : (redact as RedactOptions))
  const rule = (name: string, options: RedactOptions): SingleRule => ({
    name,
    redact: { credentialHeaders: false, ...replacement, ...options },
  })
  return [
    ...paths.map((path) => rule(`paths: ${path}`, { paths: [path] })),
    ...(typeof keys === 'string' ? [{ preset: keys }] : keys).map((key) =>
      rule(`keys: ${keyName(key)}`, { keys: [key] }),
    ),
    ...patterns.map((pattern) => rule(`patterns: ${patternName(pattern)}`, { patterns: [pattern] })),
    ...(credentialHeaders ? [rule('credentialHeaders', { credentialHeaders: true })] : []),
  ]
}

function keyName(key: string | RegExp | { readonly preset: string }): string {
  return typeof key === 'string' || key instanceof RegExp ? String(key) : key.preset
}

function patternName(pattern: RedactPattern): string {
  if (typeof pattern === 'string' || pattern instanceof RegExp) return String(pattern)
  return pattern.name ?? String(pattern.pattern)
}

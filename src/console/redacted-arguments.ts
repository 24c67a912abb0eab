import type { InspectOptions } from 'node:util'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import { redacted } from '../redact/censor.ts'
import type { ConsoleMethod } from './methods.ts'
import { ArgumentSearch } from './argument-search.ts'
import { textShownBy } from './redacted-copy.ts'

/** Methods whose first argument is not shown as a value: it is a label, by which the console counts, or a condition. */
const labeled: ReadonlySet<ConsoleMethod> = new Set(['assert', 'timeLog', 'count', 'timeEnd'])
/** Methods that inspect a text too, and cut it. */
const inspectsTexts: ReadonlySet<ConsoleMethod> = new Set(['dir', 'table'])

/**
 * The arguments of a console method without what patterns find in their strings and bytes. Node shows 10,000 characters of a
 * nested string, 100 items and 50 bytes: patterns over the finished text would miss a secret that is cut. Arguments in which
 * nothing is found are returned as they are, so that they are shown as without rules.
 */
export function redactedArguments(
  method: ConsoleMethod,
  args: readonly unknown[],
  patterns: TextPatterns,
): readonly unknown[] {
  if (method === 'dir') return argumentsOfDir(args, patterns)
  const first = labeled.has(method) ? 1 : 0
  const search = new ArgumentSearch(patterns, { showHidden: showsAll(args), readsCells: method === 'table' })
  return args.map((value, index) => {
    if (index < first) return value
    // The first text is shown whole.
    if (typeof value === 'string' && index === 0 && !inspectsTexts.has(method)) return value
    const shown = search.redacted(value)
    if (method !== 'table') return shown
    // As an object it would be a table without rows.
    return search.isHidden(value) ? redacted : (textShownBy(shown) ?? shown)
  })
}

function argumentsOfDir([value, given, ...more]: readonly unknown[], patterns: TextPatterns): readonly unknown[] {
  const options = typeof given === 'object' && given !== null ? (given as InspectOptions) : {}
  const shown = new ArgumentSearch(patterns, { options }).redacted(value)
  // Objects that are shown as text make it themselves.
  return shown === value ? [value, given, ...more] : [shown, { ...options, customInspect: true }, ...more]
}

/** Whether a placeholder `%o` shows what is hidden: members that are not enumerated, entries of a WeakSet, the target of a proxy. */
function showsAll([first]: readonly unknown[]): boolean {
  return typeof first === 'string' && first.includes('%o')
}

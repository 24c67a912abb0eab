import type { InspectOptions } from 'node:util'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import { redacted } from '../redact/censor.ts'
import type { ConsoleMethod } from './methods.ts'
import { ArgumentSearch } from './argument-search.ts'
import { displayedText } from './redacted-copy.ts'

/** Methods whose first argument is not displayed as a value, because it is a label, a counter name or a condition. */
const labeled: ReadonlySet<ConsoleMethod> = new Set(['assert', 'timeLog', 'count', 'timeEnd'])
/** Methods that inspect strings too, and so may truncate them. */
const inspectsTexts: ReadonlySet<ConsoleMethod> = new Set(['dir', 'table'])

/**
 * Returns the arguments of a console method with pattern matches in their strings and bytes redacted. Node displays at most 10,000
 * characters of a nested string, 100 items and 50 bytes, so patterns applied to the finished text would miss a truncated secret.
 * Arguments without matches are returned unchanged, so that they are displayed as they are without rules.
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
    // A first argument that is a string is displayed in full.
    if (typeof value === 'string' && index === 0 && !inspectsTexts.has(method)) return value
    const shown = search.redacted(value)
    if (method !== 'table') return shown
    // The replacement must be a string: an object would be displayed as a table without rows.
    return search.isHidden(value) ? redacted : (displayedText(shown) ?? shown)
  })
}

function argumentsOfDir([value, given, ...more]: readonly unknown[], patterns: TextPatterns): readonly unknown[] {
  const options = typeof given === 'object' && given !== null ? (given as InspectOptions) : {}
  const shown = new ArgumentSearch(patterns, { options }).redacted(value)
  // Objects that replace a text need custom inspection.
  return shown === value ? [value, given, ...more] : [shown, { ...options, customInspect: true }, ...more]
}

/** Returns whether a `%o` placeholder displays hidden contents: non-enumerable members, WeakSet entries and proxy targets. */
function showsAll([first]: readonly unknown[]): boolean {
  return typeof first === 'string' && first.includes('%o')
}

import type { InspectOptions } from 'node:util'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import { defaultReplacement } from '../redact/censor.ts'
import type { ConsoleMethod } from './methods.ts'
import { ArgumentSearch } from './argument-search.ts'
import { displayedTextOf } from './redacted-copy.ts'

/** Methods whose first argument is not displayed as a value, because it is a label, a counter name or a condition. */
const labeledMethods: ReadonlySet<ConsoleMethod> = new Set(['assert', 'timeLog', 'count', 'timeEnd'])
/** Methods that inspect strings too, and so may truncate them. */
const stringInspectingMethods: ReadonlySet<ConsoleMethod> = new Set(['dir', 'table'])

/**
 * Returns the arguments of a console method with pattern matches in their strings and bytes redacted. The patterns are also applied to the
 * finished text, but would miss a truncated secret there: Node displays at most 10,000 characters of a nested string, 100 items and 50
 * bytes. Arguments without matches are returned unchanged, so that they are displayed as they are without rules; only objects whose getters
 * Node reads are copied.
 */
export function redactedArguments(
  method: ConsoleMethod,
  args: readonly unknown[],
  patterns: TextPatterns,
): readonly unknown[] {
  if (method === 'dir') return redactedDirArguments(args, patterns)
  const firstSearched = labeledMethods.has(method) ? 1 : 0
  const search = new ArgumentSearch(patterns, {
    showHidden: hasObjectPlaceholder(args),
    readsCells: method === 'table',
  })
  return args.map((value, index) => {
    if (index < firstSearched) return value
    // A first argument that is a string is displayed in full, so its matches are redacted in the finished text.
    if (typeof value === 'string' && index === 0 && !stringInspectingMethods.has(method)) return value
    const redactedValue = search.redactArgument(value)
    if (method !== 'table') return redactedValue
    // The replacement must be a string: an object would be displayed as a table without rows.
    return search.hasMatchingBytes(value) ? defaultReplacement : (displayedTextOf(redactedValue) ?? redactedValue)
  })
}

function redactedDirArguments(
  [value, givenOptions, ...more]: readonly unknown[],
  patterns: TextPatterns,
): readonly unknown[] {
  const options = typeof givenOptions === 'object' && givenOptions !== null ? (givenOptions as InspectOptions) : {}
  const redactedValue = new ArgumentSearch(patterns, { dirOptions: options }).redactArgument(value)
  // A redacted part is an object with a custom inspection function, which `console.dir` does not call by default.
  return redactedValue === value
    ? [value, givenOptions, ...more]
    : [redactedValue, { ...options, customInspect: true }, ...more]
}

/** Returns whether the first argument contains `%o`, which displays non-enumerable members, WeakSet entries and proxy targets. */
function hasObjectPlaceholder([first]: readonly unknown[]): boolean {
  return typeof first === 'string' && first.includes('%o')
}

import { UniqueNames } from '../../record/unique-names.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Returns the names under which members are written. A redacted name that is equal to another name gets a number; unchanged names get
 * none.
 *
 * @param taken - names of other members of the same object
 */
export function uniqueRedactedNames(
  keys: readonly string[],
  patterns: TextPatterns | undefined,
  taken: Iterable<string> = [],
): readonly string[] {
  if (patterns === undefined) return keys
  const names = keys.map((key) => patterns.redact(key))
  const isUnchanged = (name: string, index: number) => name === keys[index]
  if (names.every(isUnchanged)) return keys
  const unique = new UniqueNames([...taken, ...names.filter(isUnchanged)])
  return names.map((name, index) => (isUnchanged(name, index) ? name : unique.add(name)))
}

import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import { UniqueNames } from '../record/unique-names.ts'

/**
 * Returns members with well-formed keys for OTLP, whose text is UTF-8. Keys that differ only in lone surrogates become equal when
 * those are replaced by U+FFFD, so all but the first of them get a number. Returns the same map if all keys are well-formed.
 */
export function wellFormedMembers(members: AnyValueMap): Iterable<readonly [string, AnyValue]> {
  if (Array.from(members.keys()).every((key) => key.isWellFormed())) return members
  const names = new UniqueNames()
  return Array.from(members, ([key, value]) => [names.add(key.toWellFormed()), value] as const)
}

import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import { UniqueNames } from '../record/unique-names.ts'

/**
 * Members for OTLP, whose text is UTF-8: keys that differ in halves of surrogate pairs alone, which become U+FFFD, are told
 * apart by a number. The same map where all keys are well-formed.
 */
export function wellFormedMembers(members: AnyValueMap): Iterable<readonly [string, AnyValue]> {
  if (Array.from(members.keys()).every((key) => key.isWellFormed())) return members
  const names = new UniqueNames()
  return Array.from(members, ([key, value]) => [names.add(key.toWellFormed()), value] as const)
}

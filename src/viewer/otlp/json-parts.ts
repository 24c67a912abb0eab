import { isMembers, memberOf, type JsonMembers } from '../../read/formats/json-members.ts'
import { maxParts, tooManyParts } from './signal-request.ts'

/**
 * Checks how many groups, records and spans a request of OTLP/JSON has, before they are read. Each takes much more memory than its text `{}`.
 *
 * @param names - the names of the members that contain the groups, the groups of these, and their items
 * @throws RangeError if there are too many.
 */
export function checkParts(request: JsonMembers, names: readonly (readonly string[])[]): void {
  if (countParts(request, names, 0) > maxParts) throw tooManyParts()
}

function countParts(members: JsonMembers, names: readonly (readonly string[])[], level: number): number {
  let count = 0
  for (const name of names[level] ?? []) {
    const items = memberOf(members, name)
    if (!Array.isArray(items)) continue
    count += items.length
    if (level + 1 === names.length) continue
    for (const item of items as readonly unknown[]) {
      if (count > maxParts) return count
      if (isMembers(item)) count += countParts(item, names, level + 1)
    }
  }
  return count
}

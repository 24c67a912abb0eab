import { compileRedaction } from '../../redact/redact.ts'
import { PlainWalk, plainLimits } from './plain-walk.ts'
import { sortedJson } from './sorted-json.ts'

let walk: PlainWalk | undefined
let walking = false

/** JSON of whatever it is: for what formats of users have put into an info, where the quick way threw. */
export function totalJson(value: unknown): string {
  if (walking) return '"[Object]"'
  walk ??= new PlainWalk({ limits: plainLimits, redaction: compileRedaction(undefined, '', []) })
  walking = true
  try {
    walk.begin()
    return sortedJson(walk.value(value, compileRedaction(undefined, '', []).root, 1, '')) ?? 'null'
  } catch {
    return '"[Object]"' // an exhausted stack
  } finally {
    walking = false
  }
}

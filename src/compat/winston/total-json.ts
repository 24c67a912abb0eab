import { compileRedaction } from '../../redact/redact.ts'
import { PlainWalk, plainLimits } from './plain-walk.ts'
import { sortedJson } from './sorted-json.ts'

let walk: PlainWalk | undefined
let walking = false

/** Returns JSON of any value, for values that custom formats added to an info and on which the faster function threw. */
export function totalJson(value: unknown): string {
  if (walking) return '"[Object]"'
  walk ??= new PlainWalk({ limits: plainLimits, redaction: compileRedaction(undefined, '', []) })
  walking = true
  try {
    walk.begin()
    return sortedJson(walk.value(value, compileRedaction(undefined, '', []).root, 1, '')) ?? 'null'
  } catch {
    return '"[Object]"' // the stack is exhausted
  } finally {
    walking = false
  }
}

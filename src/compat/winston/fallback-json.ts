import { compileRedaction } from '../../redact/redact.ts'
import { PlainWalk, defaultInfoLimits } from './plain-walk.ts'
import { sortedJson } from './sorted-json.ts'

let walk: PlainWalk | undefined
let isWalking = false

/** Returns JSON of any value: for values that custom formats added to an info, and on which `sortedJson` threw. Never throws. */
export function fallbackJson(value: unknown): string {
  if (isWalking) return '"[Object]"' // a nested call: a getter or `toJSON` of a value has logged
  walk ??= new PlainWalk({ limits: defaultInfoLimits, redaction: compileRedaction(undefined, '', []) })
  isWalking = true
  try {
    walk.begin()
    return sortedJson(walk.value(value, compileRedaction(undefined, '', []).root, 1, '')) ?? 'null'
  } catch {
    return '"[Object]"' // the stack is exhausted
  } finally {
    isWalking = false
  }
}

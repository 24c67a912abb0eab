import type { Format } from '../info.ts'
import { formatOf } from './format.ts'
import { setMember } from '../../../options/define-member.ts'

const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
]

/** Adds the time since the previous record was formatted, such as `+12ms`, as the member `ms`. */
export function ms(): Format {
  let last: number | undefined
  return formatOf((info) => {
    const now = Date.now()
    setMember(info, 'ms', `+${short(now - (last ?? now))}`)
    last = now
    return info
  })()
}

function short(millis: number): string {
  const [length, name] = units.find(([length]) => Math.abs(millis) >= length) ?? [1, 'ms']
  return `${Math.round(millis / length)}${name}`
}

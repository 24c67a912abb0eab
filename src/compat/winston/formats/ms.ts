import type { Format } from '../info.ts'
import { defineFormat } from './format.ts'
import { setMember } from '../../../options/define-member.ts'

/** The length of each unit in milliseconds, and its name. */
const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
]

/** Adds the time since the previous record was formatted, such as `+12ms`, as the member `ms`. */
export function ms(): Format {
  let lastTime: number | undefined
  return defineFormat((info) => {
    const now = Date.now()
    setMember(info, 'ms', `+${shortDuration(now - (lastTime ?? now))}`)
    lastTime = now
    return info
  })()
}

function shortDuration(millis: number): string {
  const [unitMillis, name] = units.find(([minMillis]) => Math.abs(millis) >= minMillis) ?? [1, 'ms']
  return `${Math.round(millis / unitMillis)}${name}`
}

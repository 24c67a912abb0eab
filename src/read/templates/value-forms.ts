import { isDigit, isHexDigit, isWordCharacter } from './character-classes.ts'
import { valueKinds } from './value-kinds.ts'

/** The length of a UUID with its hyphens. */
export const uuidLength = 36
const uuidHyphens = [8, 13, 18, 23]

/** Returns whether a UUID is at a position. */
export function isUuid(text: string, start: number, end: number): boolean {
  if (end - start < uuidLength || text.charAt(start + 8) !== '-') return false
  for (let at = 0; at < uuidLength; at++) {
    if (uuidHyphens.includes(at) ? text.charAt(start + at) !== '-' : !isHexDigit(text, start + at)) return false
  }
  return !isWordCharacter(text, start + uuidLength)
}

/** An IPv6 address with at least one decimal digit. */
const ipv6 = /^(?=[a-f:]*\d)[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?![\da-z:])/i
const longestIpv6 = 40

/** Returns the end of the IPv6 address that begins at a position; the position itself without an address. */
export function ipv6End(text: string, start: number, end: number): number {
  const [address = ''] = ipv6.exec(text.slice(start, Math.min(end, start + longestIpv6))) ?? []
  return isTime(address) ? start : start + address.length
}

/** Returns whether a sign is before the number at a position, and belongs to it. */
export function hasSign(text: string, start: number): boolean {
  const sign = text.charAt(start - 1)
  return (sign === '-' || sign === '+') && isDigit(text, start) && !isWordCharacter(text, start - 2)
}

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/
const time = /^\d{4}-\d\d?-\d\d?(?:$|T)|^\d\d?:\d\d(?::\d\d(?:\.\d+)?)?Z?$/i
/** Longer values are not addresses or times. */
const longestTime = 45

function isTime(value: string): boolean {
  return time.test(value)
}

/** Returns the kind of a text that is an IPv4 address or a time; undefined for other texts. */
export function joinedKind(value: string): number | undefined {
  if (value.length > longestTime) return undefined
  if (ipv4.test(value)) return valueKinds.ip
  return isTime(value) ? valueKinds.time : undefined
}

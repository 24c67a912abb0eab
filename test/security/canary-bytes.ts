import { canary, canaryIn } from './fuzz/canary.ts'

/**
 * Returns whether a text contains the canary or its bytes: as numbers in a list or in an object (`{"0":120,"1":32}`), in columns, or as
 * hexadecimal digits with spaces.
 */
export function isCanaryShown(text: string): boolean {
  const bytes = [...Buffer.from(canary)]
  const numbers = (text.match(/(?<![\d.])\d{2,3}(?![\d.])/g) ?? []).join(' ')
  const spaced = bytes.map((byte) => byte.toString(16)).join(' ')
  const keyed = bytes.map((byte) => `"\\d+":${byte}`).join(',')
  return canaryIn(text) !== undefined || new RegExp(keyed).test(text) || text.includes(spaced) || isSequence(numbers)
}

/** Returns whether six bytes of the secret follow each other, directly or each with an index in between. */
function isSequence(numbers: string): boolean {
  const few = [...Buffer.from(canary.slice(0, 6))]
  return new RegExp(few.join('(?: \\d+)? ')).test(numbers)
}

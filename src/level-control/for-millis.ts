import { integer, type Check } from '../options/option-checks.ts'

/** The longest time that directives can be set for, in ms: 100 years. */
const maxForMillis = 3_155_760_000_000

/** Checks for a time in ms after which directives are reverted: a positive integer, or `Infinity` for none. */
export const forMillis: Check = (value, where, problems) => {
  if (value === Infinity) return
  if (typeof value !== 'number' || !(value > maxForMillis)) return integer(1, Infinity)(value, where, problems)
  const message = 'must be at most 100 years; write Infinity for no end'
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message })
}

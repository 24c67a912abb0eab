import { randomInt } from 'node:crypto'

/**
 * What random inputs and times are made from. It is the same in every run, so that a test which passed fails only because of a change.
 * `SEED=random` or `SEED=1` sets another.
 */
export const seed: number = seedOf(process.env['SEED'] ?? '20261126')

function seedOf(text: string): number {
  const number = text === 'random' ? randomInt(2 ** 31) : Number(text)
  if (!Number.isSafeInteger(number)) throw new TypeError(`SEED is '${text}'; use an integer or 'random'`)
  return number
}

/** A generator of reproducible random numbers. */
export interface Random {
  /** Returns a number from 0 to 1, excluding 1. */
  next(): number
  /** Returns an integer from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** Returns true with the given probability. */
  chance(share: number): boolean
  /** Returns a generator that depends only on the seed and the name. */
  fork(name: string): Random
}

/** Mulberry32: 32 bits of state are enough for a schedule, and the same on every machine. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    pick: (list) => list[whole(0, list.length - 1)]!,
    chance: (share) => next() < share,
    fork: (name) => randomOf(hash(`${seed}/${name}`)),
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

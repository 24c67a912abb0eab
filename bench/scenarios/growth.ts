import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Lines } from './lines.ts'
import type { Scenario } from './scenario.ts'

/** What a straight line may bend upwards: caches and garbage collection are no straight lines either. */
const mostBend = 1.25

export interface Growth {
  readonly question: string
  /** What grows. */
  readonly across: string
  /** Who is asked, ours first. Default: sluice and pino. */
  readonly subjects?: readonly SubjectName[]
  /** Rising; the first is the smallest. */
  readonly sizes: readonly number[]
  /** Those that take long: nobody beside us is asked. */
  readonly alone?: readonly number[]
  /** Where the line is looked at, and what it is held against there. */
  readonly ends: readonly number[]
  readonly middle: number
  /** Each unit of size has its cost, so that the line rises; else a call costs the same at each size. */
  readonly rises: boolean
  at(size: number): Payload & Pick<Lines, 'records' | 'warmUp'> & Pick<BurstVariant, 'proven'>
}

/** Makes something large for whoever asks first: each measured process loads all scenarios and runs one. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Bursts of one kind to /dev/null, from small to large. */
export function growth({ question, across, ends, sizes, ...growth }: Growth): Scenario {
  return {
    question,
    across,
    method: 'burst',
    runs: 3,
    ...(growth.subjects !== undefined && { ours: growth.subjects[0]! }),
    figures: ['loop', 'drain', 'cpu', 'memory', 'bend'],
    compared: ['loop'],
    targets: [{ variants: ends.map(String), figures: ['bend'], limit: mostBend }],
    variants: Object.fromEntries(sizes.map((size) => [size, variant(size)])),
  }

  function variant(size: number): BurstVariant {
    const { at, alone = [], middle, rises, subjects = ['sluice', 'pino-sync'] } = growth
    return {
      ...at(size),
      at: size,
      to: 'null',
      perTurn: Infinity,
      subjects: alone.includes(size) ? subjects.slice(0, 1) : subjects,
      ...(ends.includes(size) && { line: { middle: String(middle), ...(rises && { smallest: String(sizes[0]) }) } }),
    }
  }
}

import { collectorResponses, proxyModes, type Action, type Fault, type WriteFault } from './faults.ts'
import { plantedKinds } from './planted.ts'
import { misbehaviors } from './user-code.ts'
import { randomOf, type Random } from './random.ts'

/** A fault or action on an application, or a calm period. Times are in ms from the start. */
export type Step =
  | { readonly at: number; readonly until: number; readonly application: number; readonly fault: Fault }
  | { readonly at: number; readonly application: number; readonly act: Action }
  /** A period without faults. */
  | { readonly at: number; readonly until: number; readonly calm: true }

/** All steps of a run. */
export interface Plan {
  readonly seed: number
  readonly millis: number
  /** Sorted by time. */
  readonly steps: readonly Step[]
}

/** The applications. The first one runs all the time, so that its growth can be measured; the others are restarted. */
export const applications: readonly ['old', 'young'] = ['old', 'young']

/** Creates a plan, which depends only on the seed and the duration in ms. */
export function planOf(seed: number, millis: number): Plan {
  const random = randomOf(seed)
  const warmUp = Math.round(Math.min(2_000, millis / 6))
  const calm = Math.round(Math.min(6_000, millis / 4))
  const steps: Step[] = []
  for (let from = warmUp; millis - from > 2 * calm;) {
    const to = Math.min(from + random.whole(8_000, 20_000), millis - calm)
    for (let application = 0; application < applications.length; application++)
      steps.push(...faultsOf(random, application, from, to), ...actsOf(random, application, from, to))
    steps.push({ at: to, until: to + calm, calm: true })
    from = to + calm
  }
  return { seed, millis, steps: steps.toSorted((one, other) => one.at - other.at) }
}

/** Creates faults. Those of one kind do not overlap, those of different kinds may. */
function faultsOf(random: Random, application: number, from: number, to: number): Step[] {
  const kinds: readonly (readonly [share: number, make: () => Fault])[] = [
    [0.8, () => fileFault(random)],
    [0.6, () => stdoutFault(random)],
    [0.5, () => ({ on: 'reader' })],
    [
      0.8,
      () =>
        random.chance(0.5)
          ? { on: 'proxy', mode: random.pick(proxyModes) }
          : { on: 'collector', response: random.pick(collectorResponses) },
    ],
    // The processor is shared by all applications.
    [application === 0 ? 0.4 : 0, () => ({ on: 'processor' })],
  ]
  return kinds.flatMap(([share, make]) =>
    (random.chance(share) ? windows(random, from, to) : []).map(([at, until]): Step => ({
      at,
      until,
      application,
      fault: make(),
    })),
  )
}

/** Returns one to four separate periods of time. */
function windows(random: Random, from: number, to: number): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = []
  let at = from + random.whole(0, Math.floor((to - from) / 2))
  for (let left = random.whole(1, 4); left > 0; left--) {
    const until = Math.min(at + random.whole(200, random.chance(0.2) ? 10_000 : 3_000), to)
    if (until <= at) break
    found.push([at, until])
    at = until + random.whole(100, 2_000)
  }
  return found
}

function fileFault(random: Random): Fault {
  const none: WriteFault = { error: undefined, every: 1, room: 0, most: 0, delayMicros: 0 }
  const make = random.pick<() => Partial<WriteFault>>([
    () => ({ error: 'EAGAIN', every: random.whole(1, 4) }),
    () => ({ error: 'EINTR', every: random.whole(2, 5) }),
    () => ({ most: random.pick([97, 1_021, 8_191]) }),
    () => ({ most: 2_039, error: 'EAGAIN', every: random.whole(2, 7) }),
    () => ({ error: 'EIO', every: random.whole(1, 2) }),
    () => ({ error: 'ENOSPC', room: random.whole(0, 20_000) }),
    () => ({ error: 'ENOSPC', room: random.whole(0, 20_000) }),
    () => ({ delayMicros: random.whole(21_000, 60_000) }),
    () => ({ delayMicros: random.whole(21_000, 40_000), most: 16_381 }),
  ])
  return { on: 'file', ...none, ...make() }
}

/** A pipe does not run out of space, and an exporter does not retry when it fails permanently. */
function stdoutFault(random: Random): Fault {
  const make = random.pick<() => Partial<WriteFault>>([
    () => ({ error: 'EAGAIN', every: random.whole(1, 4) }),
    () => ({ error: 'EINTR', every: random.whole(2, 5) }),
    () => ({ most: random.pick([97, 1_021, 8_191]) }),
    () => ({ most: 2_039, error: 'EAGAIN', every: random.whole(2, 7) }),
  ])
  return { on: 'stdout', error: undefined, every: 1, room: 0, most: 0, delayMicros: 0, ...make() }
}

function actsOf(random: Random, application: number, from: number, to: number): Step[] {
  const kinds: readonly (readonly [most: number, make: () => Action])[] = [
    [2, () => ({ do: 'block', millis: random.whole(50, random.chance(0.2) ? 3_000 : 600) })],
    [2, () => ({ do: 'burst', records: random.whole(500, 4_000) })],
    [2, () => ({ do: 'reopen' })],
    [1, () => ({ do: 'kill writer' })],
    [1, () => ({ do: 'fatal' })],
    [2, () => ({ do: 'plant', kind: random.pick(plantedKinds) })],
    [3, () => ({ do: 'misbehave', kind: random.pick(misbehaviors), millis: random.whole(200, 3_000) })],
    [
      application === 0 ? 0 : 2,
      () => ({ do: 'end', how: random.pick(['SIGKILL', 'SIGKILL', 'SIGTERM', 'exit', 'shutdown']) }),
    ],
  ]
  return kinds.flatMap(([most, make]) =>
    Array.from({ length: random.whole(0, most) }, (): Step => ({
      at: random.whole(from, to),
      application,
      act: make(),
    })),
  )
}

import type { Payload } from '../methods/burst/variant.ts'
import type { Log } from '../subjects/subject.ts'
import { growth } from './growth.ts'

const boundOf = (child: number) => ({ tenant: 'acme-eu-1', requestId: `0af7651916cd43dd8448-${child}` })

function payload(size: number): Payload {
  // One process has one log: they are made in its warm-up.
  let children: readonly Pick<Log, 'attributes'>[] | undefined
  return {
    setup: {},
    run(log, from, to) {
      children ??= Array.from({ length: size }, (_, child) => log.child!(boundOf(child)))
      for (let i = from; i < to; i++) children[i % size]!.attributes('row imported', { seq: i })
    },
    expected: (i) => ({ message: 'row imported', attributes: { ...boundOf(i % size), seq: i } }),
  }
}

export const growthLoggers = growth({
  question: 'A record costs the same, however many child loggers log in turn',
  across: 'child loggers',
  sizes: [1, 4, 16, 64],
  ends: [64],
  middle: 4,
  rises: false,
  at: (size) => ({ ...payload(size), records: 100_000, warmUp: 200_000 }),
})

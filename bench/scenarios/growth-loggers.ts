import type { Payload } from '../methods/burst/variant.ts'
import type { Log } from '../subjects/subject.ts'
import { growth } from './growth.ts'

const boundOf = (child: number) => ({ tenant: 'acme-eu-1', requestId: `0af7651916cd43dd8448-${child}` })

function payload(size: number): Payload {
  // Each process has one log, whose children are created in the warm-up.
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
  description: 'The cost of a record by the number of child loggers that log in turn, which should be constant',
  sizeName: 'child loggers',
  sizes: [1, 4, 16, 64],
  checkedSizes: [64],
  middleSize: 4,
  isProportional: false,
  variantOf: (size) => ({ ...payload(size), records: 100_000, warmUp: 200_000 }),
})

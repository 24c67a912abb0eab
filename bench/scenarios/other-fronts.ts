import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/outlet.ts'
import type { SubjectName } from '../subjects/index.ts'
import { payload as child } from './child.ts'
import { payload as object } from './object.ts'
import type { Scenario } from './scenario.ts'

/** Fewer records than the others have, so that all of them fit into the queue that comes with the front. */
function scenario(question: string, ours: SubjectName, rival: SubjectName, payload: Payload): Scenario {
  const variant = (to: Destination): BurstVariant => ({
    ...payload,
    records: 50_000,
    warmUp: 100_000,
    to,
    perTurn: Infinity,
    subjects: [ours, rival],
  })
  return {
    question,
    method: 'burst',
    figures: ['loop', 'drain', 'cpu', 'bytes'],
    compared: ['loop', 'drain', 'cpu'],
    targets: [{ variants: ['null', 'file'], figures: ['loop', 'cpu'], rival, limit: 1 }],
    ours,
    variants: { null: variant('null'), file: variant('file') },
  }
}

const words = 'A message and three attributes, in the interface and lines of'

export const bunyanFront = scenario(`${words} bunyan`, 'bunyan-front', 'bunyan', object)
export const bunyanFrontChild = scenario('The same of a child logger', 'bunyan-front', 'bunyan', child)
export const boleFront = scenario(`${words} bole`, 'bole-front', 'bole', object)

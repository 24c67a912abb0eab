import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/outlet.ts'
import { payload as child } from './child.ts'
import { payload as object } from './object.ts'
import type { Scenario } from './scenario.ts'
import { againstPino } from './usual.ts'

function front(to: Destination, payload: Payload): BurstVariant {
  return {
    ...payload,
    records: 50_000,
    warmUp: 200_000,
    to,
    perTurn: Infinity,
    subjects: ['sluice-front', 'pino-sync', 'pino-buffered'],
  }
}

/** Fewer records than the others have, so that all of them fit into the queue that comes with the front. */
function scenario(question: string, payload: Payload): Scenario {
  return {
    question,
    method: 'burst',
    figures: ['loop', 'drain', 'cpu', 'bytes'],
    compared: ['loop', 'drain', 'cpu'],
    targets: [againstPino(0.35)],
    ours: 'sluice-front',
    variants: { null: front('null', payload), file: front('file', payload) },
  }
}

export const pinoFront = scenario("A message and three attributes, in pino's interface and lines", object)
export const pinoFrontChild = scenario("The same of a child logger, in pino's interface and lines", child)

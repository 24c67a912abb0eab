import { object } from './object.ts'
import type { Scenario } from './scenario.ts'

/** As a server logs. What is written at the end of a turn is in the drain, not in the loop. */
export const objectTurns: Scenario = {
  ...object,
  question: 'A message and three attributes, 20 records a turn of the event loop',
  perTurn: 20,
  targets: [],
}

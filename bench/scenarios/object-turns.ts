import { payload } from './object.ts'
import { usual } from './usual.ts'

/** As a server logs. What is written at the end of a turn is in the drain, not in the loop. */
export const objectTurns = usual('A message and three attributes, 20 records a turn of the event loop', payload, {
  targets: [],
  more: { file: ['sdk-logs', 'log-buffer'], pipe: ['sdk-logs', 'log-buffer'] },
  perTurn: 20,
})

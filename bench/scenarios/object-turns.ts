import { payload } from './object.ts'
import { burstScenario } from './burst-scenario.ts'

/** Records in small groups, as in a server. Writes at the end of a turn are part of `drain`, not of `loop`. */
export const objectTurns = burstScenario(
  'A message and three attributes, 20 records per turn of the event loop',
  payload,
  {
    targets: [],
    more: { file: ['sdk-logs', 'log-buffer'], pipe: ['sdk-logs', 'log-buffer'] },
    perTurn: 20,
  },
)

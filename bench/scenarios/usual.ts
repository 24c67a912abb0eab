import type { Scenario, Target } from './scenario.ts'

/** 100,000 records at once, in a process that is warm. */
export const burst = { records: 100_000, warmUp: 200_000, perTurn: Infinity } as const

/** The rivals that stand in most scenarios. */
export const rivals: Scenario['rivals'] = {
  null: ['pino-sync', 'pino-buffered'],
  file: ['pino-sync', 'pino-buffered'],
  pipe: ['pino-async', 'pino-buffered'],
}

/** Against pino as it comes, for a destination that takes everything; and to a pipe, where asynchronous writes belong. */
export const targets = (ratioToPinoSync: number): readonly Target[] => [
  { to: ['null', 'file'], rival: 'pino-sync', ratio: ratioToPinoSync },
  { to: ['pipe'], rival: 'pino-async', ratio: 0.3 },
]

export const targetToStrongestPino: Target = { to: ['null', 'file'], rival: 'pino-buffered', ratio: 0.6 }

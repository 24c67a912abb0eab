import type { ProgramVariant } from '../methods/program/variant.ts'
import type { Scenario, Target } from './scenario.ts'

/** Creates a scenario of a million cycles of work, each of which logs a record to a file. */
export function millionCycles(
  description: string,
  targets: readonly Target[],
  cycle: Pick<ProgramVariant, 'logs' | 'expected'>,
): Scenario {
  const toAFile: ProgramVariant = {
    ...cycle,
    subjects: ['sluice', 'pino-async', 'none'],
    more: ['console', 'child-process', 'pino-sync', 'pino-transport'],
    records: 1_000_000,
    warmUp: 0,
  }
  return {
    description,
    method: 'program',
    runs: 3,
    figures: ['loop', 'drain', 'program', 'programCpu'],
    compared: ['loop', 'drain', 'program', 'programCpu'],
    targets,
    variants: { file: toAFile },
  }
}

export const programString = millionCycles(
  'A whole program, from start to exit: Math.log and a message, 1,000,000 times',
  [{ variants: ['file'], figures: ['program'], rival: 'pino-async', limit: 0.2 }],
  { logs: 'string', expected: (i) => ({ message: `cycle ${i} is done`, attributes: {} }) },
)

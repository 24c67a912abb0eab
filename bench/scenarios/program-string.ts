import type { ProgramVariant } from '../methods/program/variant.ts'
import type { Scenario, Target } from './scenario.ts'

/** A million cycles of work, each of which is logged, to a file. */
export function millionCycles(
  question: string,
  targets: readonly Target[],
  said: Pick<ProgramVariant, 'logs' | 'expected'>,
): Scenario {
  const toAFile: ProgramVariant = {
    ...said,
    subjects: ['sluice', 'pino-async', 'none'],
    more: ['console', 'child-process', 'pino-sync', 'pino-transport'],
    records: 1_000_000,
    warmUp: 0,
  }
  return {
    question,
    method: 'program',
    runs: 3,
    figures: ['loop', 'drain', 'program', 'programCpu'],
    compared: ['loop', 'drain', 'program', 'programCpu'],
    targets,
    variants: { file: toAFile },
  }
}

export const programString = millionCycles(
  'A program from its start to its end: Math.log and a message, 1,000,000 times',
  [{ variants: ['file'], figures: ['program'], rival: 'pino-async', limit: 0.2 }],
  { logs: 'string', expected: (i) => ({ message: `cycle ${i} is done`, attributes: {} }) },
)

import { millionCycles } from './program-string.ts'

export const programObject = millionCycles(
  'A program from its start to its end: Math.log, a message and three attributes, 1,000,000 times',
  [],
  {
    logs: 'object',
    expected: (i) => ({ message: 'cycle done', attributes: { cycle: i, phase: 'sum', ok: true } }),
  },
)

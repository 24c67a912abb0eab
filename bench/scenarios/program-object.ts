import { millionCycles } from './program-string.ts'

export const programObject = millionCycles(
  'A whole program, from start to exit: Math.log and a message with three attributes, 1,000,000 times',
  [],
  {
    logs: 'object',
    expected: (i) => ({ message: 'cycle done', attributes: { cycle: i, phase: 'sum', ok: true } }),
  },
)

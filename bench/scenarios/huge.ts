import type { HugeVariant } from '../methods/huge/variant.ts'
import type { Scenario } from './scenario.ts'

const length = 213_909_504
const pieceLength = 100

/** Creates a flat string of numbered pieces, each with two quotes and a newline, so that the checker detects any change. */
function message(): string {
  const pieces = Array.from({ length: Math.floor(length / pieceLength) }, (_, index) => {
    return `piece "${index}" `.padEnd(pieceLength - 1, 'of a very long text ') + '\n'
  })
  return [...pieces, '.'.repeat(length % pieceLength)].join('')
}

const toAFile: HugeVariant = {
  subjects: ['sluice', 'console', 'fs-stream', 'winston-stream', 'pino-sync', 'pino-async'],
  records: 1,
  warmUp: 0,
  expected: () => ({ message: message(), attributes: {} }),
}

export const huge: Scenario = {
  description: 'One message of 213,909,504 characters',
  method: 'huge',
  runs: 3,
  figures: ['block', 'total', 'memory'],
  compared: ['block', 'total', 'memory'],
  targets: [
    { variants: ['file'], figures: ['block'], rival: 'console', limit: 0.05 },
    { variants: ['file'], figures: ['total'], rival: 'console', limit: 1 },
  ],
  variants: { file: toAFile },
}

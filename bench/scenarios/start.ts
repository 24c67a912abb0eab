import type { StartVariant } from '../methods/start/variant.ts'
import type { Scenario } from './scenario.ts'

const variant: Omit<StartVariant, 'by'> = {
  subjects: ['sluice', 'pino-sync'],
  more: ['winston', 'bunyan', 'bole', 'logtape', 'tslog', 'roarr', 'sdk-logs'],
  starts: 5,
}

export const start: Scenario = {
  description: 'The time to load a package, and the size of its installation without peer dependencies',
  method: 'start',
  runs: 3,
  figures: ['load', 'size', 'packages'],
  compared: ['load', 'size'],
  targets: [
    { variants: ['import', 'require'], figures: ['load'], limit: 20 },
    { variants: ['import'], figures: ['size'], limit: 2_400 },
  ],
  variants: { import: { ...variant, by: 'import' }, require: { ...variant, by: 'require' } },
}

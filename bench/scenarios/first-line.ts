import type { FirstLineVariant } from '../methods/first-line/variant.ts'
import type { Scenario } from './scenario.ts'

const variant = (by: FirstLineVariant['by'], compileCache: boolean): FirstLineVariant => ({
  by,
  compileCache,
  subjects: ['sluice-default', 'pino-sync', 'console'],
  more: ['winston', 'bunyan'],
  starts: 9,
})

export const firstLine: Scenario = {
  description:
    'From the start of a process to its first line in a file, with and without a compile cache (NODE_COMPILE_CACHE)',
  method: 'first-line',
  runs: 7,
  ours: 'sluice-default',
  figures: ['firstLine', 'programCpu'],
  compared: ['firstLine', 'programCpu'],
  targets: [
    {
      variants: ['import', 'require', 'import, cached', 'require, cached'],
      figures: ['firstLine'],
      rival: 'pino-sync',
      limit: 1,
    },
  ],
  variants: {
    import: variant('import', false),
    require: variant('require', false),
    'import, cached': variant('import', true),
    'require, cached': variant('require', true),
  },
}

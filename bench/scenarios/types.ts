import type { TypesVariant } from '../methods/types/variant.ts'
import type { Scenario } from './scenario.ts'

const variant = (compiler: TypesVariant['compiler']): TypesVariant => ({
  compiler,
  calls: 1_000,
  compilations: 5,
  subjects: ['sluice', 'pino-sync', 'winston'],
})

const compilers = ['TypeScript 7', 'TypeScript 6'] as const

export const types: Scenario = {
  description: 'The time of a compiler to check the types of a program with 1,000 log calls of ten kinds',
  method: 'types',
  runs: 3,
  figures: ['typeCheck', 'compilation', 'instantiations', 'types', 'compilerMemory'],
  compared: ['typeCheck', 'instantiations'],
  targets: [
    { variants: compilers, figures: ['typeCheck'], rival: 'pino-sync', limit: 1 },
    // The count is the same on each machine.
    { variants: compilers, figures: ['instantiations'], limit: 22_000 },
  ],
  variants: { 'TypeScript 7': variant('typescript'), 'TypeScript 6': variant('typescript-6') },
}

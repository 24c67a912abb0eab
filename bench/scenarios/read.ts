import type { ReadVariant } from '../methods/read/variant.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Scenario, ScenarioDefinition } from './scenario.ts'

const megabytes = 1e6

type Shared = Pick<ScenarioDefinition, 'figures' | 'compared' | 'ours' | 'runs'>

const shared: Shared = {
  figures: ['readRate', 'program', 'programCpu', 'firstOutput', 'residentMemory'],
  compared: ['readRate', 'programCpu'],
  ours: 'sluice-reader',
  runs: 3,
}

function variant(
  task: ReadVariant['task'],
  rivals: readonly SubjectName[],
  more: Partial<ReadVariant> = {},
): ReadVariant {
  return { task, bytes: 120 * megabytes, files: 1, subjects: ['sluice-reader', ...rivals], ...more }
}

export const readPretty: Scenario = {
  ...shared,
  description:
    'Reads 120 MB of lines of sluice and writes them for reading; jq, lnav and grep write them in their forms',
  method: 'read',
  targets: [
    { variants: ['120 MB'], figures: ['readRate'], limit: 100, atLeast: true },
    { variants: ['120 MB'], figures: ['readRate'], rival: 'pino-pretty-reader', limit: 5, atLeast: true },
    { variants: ['120 MB'], figures: ['firstOutput'], limit: 150 },
    { variants: ['120 MB'], figures: ['residentMemory'], limit: 150 },
  ],
  variants: { '120 MB': variant('pretty', ['pino-pretty-reader', 'jq', 'grep'], { more: ['lnav'] }) },
}

export const readLevel: Scenario = {
  ...shared,
  description: 'Finds the lines of the level error, one in a hundred, in 120 MB, also if they are compressed',
  method: 'read',
  targets: [
    { variants: ['plain'], figures: ['readRate'], limit: 600, atLeast: true },
    { variants: ['gzip', 'zstd'], figures: ['readRate'], limit: 100, atLeast: true },
  ],
  variants: {
    plain: variant('level', ['jq', 'grep']),
    gzip: variant('level', [], { compression: 'gzip' }),
    zstd: variant('level', [], { compression: 'zstd' }),
  },
}

export const readTrace: Scenario = {
  ...shared,
  description: 'Finds the lines of one trace in 120 MB',
  method: 'read',
  targets: [{ variants: ['120 MB'], figures: ['readRate'], limit: 600, atLeast: true }],
  variants: { '120 MB': variant('trace', ['jq', 'grep']) },
}

export const readSort: Scenario = {
  ...shared,
  description: 'Sorts 20 files by time, 400 MB or 4 GB in all',
  method: 'read',
  runs: 1,
  targets: [{ variants: ['400 MB', '4 GB'], figures: ['residentMemory'], limit: 400 }],
  variants: {
    '400 MB': variant('sort', ['sort'], { bytes: 400 * megabytes, files: 20 }),
    '4 GB': variant('sort', ['sort'], { bytes: 4_000 * megabytes, files: 20 }),
  },
}

export const readFollow: Scenario = {
  description:
    'Follows a file: the time from the write of a line until it is written again, and the CPU time while nothing is written',
  method: 'read',
  figures: ['follow50', 'follow95', 'idleCpu'],
  compared: ['follow95'],
  ours: 'sluice-reader',
  runs: 3,
  targets: [
    { variants: ['one file'], figures: ['follow95'], limit: 300 },
    { variants: ['one file'], figures: ['idleCpu'], limit: 0.01 },
  ],
  variants: { 'one file': variant('follow', ['tail']) },
}

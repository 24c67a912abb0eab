import type { BurstVariant } from '../methods/burst/variant.ts'
import type { LogSetup } from '../subjects/subject.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

function variant(...encodings: Required<LogSetup>['encodings']): BurstVariant {
  return {
    ...payload,
    setup: { encodings },
    records: 100_000,
    warmUp: 200_000,
    to: 'null',
    perTurn: 50,
    subjects: ['sluice-encodings', 'sluice-loggers'],
  }
}

/** Compares one logger with a separate logger for each encoding, which costs the sum of the encodings. */
export const encodings: Scenario = {
  description: 'A message and three attributes, encoded as JSON lines and in one or two other encodings',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'cpu'],
  compared: ['loop', 'cpu'],
  ours: 'sluice-encodings',
  targets: [
    {
      variants: ['JSON and OTLP', 'JSON and pretty', 'JSON and the pino layout', 'JSON, OTLP and pretty'],
      figures: ['loop', 'cpu'],
      rival: 'sluice-loggers',
      limit: 1.1,
    },
  ],
  variants: {
    'JSON and OTLP': variant('otlp'),
    'JSON and pretty': variant('pretty'),
    'JSON and the pino layout': variant('pino'),
    'JSON, OTLP and pretty': variant('otlp', 'pretty'),
  },
}

import { expect, test } from '@jest/globals'
import { pino } from '../../src/entries/pino.ts'
import { createLogger, transports } from '../../src/entries/winston.ts'
import type { Diagnostic } from '../../src/options/configuration-error.ts'

type Report = (diagnostic: Diagnostic) => void

test.each<[string, string, (onDiagnostic: Report) => unknown, RegExp | undefined]>([
  [
    'pino',
    'app=notice,db=deb',
    (onDiagnostic) => pino({ customLevels: { notice: 35 }, onDiagnostic }, { write: () => {} }),
    /^SLUICE_LEVEL at 14: unknown level "deb".*; the other directives are set$/,
  ],
  ['pino', 'deubg', (onDiagnostic) => pino({ onDiagnostic }, { write: () => {} }), /^SLUICE_LEVEL must be one of/],
  [
    'winston',
    '*=inof',
    (onDiagnostic) => createLogger({ transports: [new transports.Console()], onDiagnostic }),
    /^SLUICE_LEVEL at 2: unknown level "inof"/,
  ],
  [
    'winston',
    '*=http',
    (onDiagnostic) => createLogger({ transports: [new transports.Console()], onDiagnostic }),
    undefined,
  ],
])('a logger with the %s API reports what is invalid in SLUICE_LEVEL=%s', (_, value, create, message) => {
  const messages: string[] = []
  process.env['SLUICE_LEVEL'] = value
  try {
    create((diagnostic) => messages.push(diagnostic.message))
  } finally {
    delete process.env['SLUICE_LEVEL']
  }
  expect(messages).toHaveLength(message === undefined ? 0 : 1)
  expect(messages.join('')).toMatch(message ?? /^$/)
})

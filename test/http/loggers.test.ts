import { describe, expect, test } from '@jest/globals'
import realPino from 'pino'
import { createLogger as createBunyanLogger } from '../../src/entries/bunyan.ts'
import { createLogger as createCoreLogger } from '../../src/entries/core.ts'
import { createRequestLog } from '../../src/entries/http.ts'
import { ConfigurationError, createLogger, logger as defaultLogger, type Logger } from '../../src/entries/index.ts'
import { nestLogger } from '../../src/entries/nest.ts'
import { instrumentation } from '../../src/entries/next.ts'
import { pino } from '../../src/entries/pino.ts'
import { captureLogs } from '../../src/entries/testing.ts'
import { createLogger as createWinstonLogger } from '../../src/entries/winston.ts'

const nowhere = { write() {} }
const hidden = new Proxy(
  {},
  {
    get() {
      throw new Error('canary')
    },
  },
)

const takers: readonly (readonly [string, (logger: unknown) => unknown])[] = [
  ['createRequestLog', (logger) => createRequestLog({ logger: logger as Logger })],
  ['instrumentation', (logger) => instrumentation({ logger: logger as Logger })],
  ['nestLogger', (logger) => nestLogger(logger as Logger)],
]

describe.each(takers)('%s', (_, make) => {
  test.each([
    ['pino', realPino(nowhere)],
    ['sluice/pino', pino(nowhere)],
    ['a child of sluice/pino', pino(nowhere).child({ a: 1 })],
    ['sluice/bunyan', createBunyanLogger({ name: 'shop', streams: [] })],
    ['sluice/winston', createWinstonLogger({ silent: true })],
    ['console', console],
    ['undefined', undefined],
    ['null', null],
    ['a string', 'info'],
    ['a proxy that throws', hidden],
  ])('an unsupported `logger` option throws: %s', (_name, logger) => {
    expect(problemsOf(() => make(logger))).toEqual([['SLUICE_OPTION_TYPE', 'logger']])
    expect(() => make(logger)).not.toThrow(/canary/)
  })

  test('the error for a pino logger names the replacement', () => {
    expect(() => make(pino(nowhere))).toThrow(/createLogger\(\{ exporter: fdExporter\(\{ layout: 'pino' \}\) \}\)/)
  })

  test('every logger of `createLogger` is accepted', () => {
    using logs = captureLogs()
    const logger = createLogger({ level: 'silent', levels: { notice: 10 } })
    for (const each of [
      logger,
      logger.child({ a: 1 }),
      defaultLogger,
      logs.logger,
      createCoreLogger({ level: 'silent' }),
    ]) {
      expect(() => make(each)).not.toThrow()
    }
  })
})

function problemsOf(make: () => unknown): readonly (readonly [code: string, path: string])[] {
  try {
    make()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => [code, path])
    throw error
  }
  return []
}

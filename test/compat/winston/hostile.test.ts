import { describe, expect, test } from '@jest/globals'
import { createLogger, format, sluiceTransport, Transport } from '../../../src/entries/winston.ts'
import { LEVEL } from '../../../src/compat/winston/info.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { getter, hostile, nested, revoked, threw, traps } from '../../support/values/hostile.ts'
import { capturingExporter } from '../../support/files/test-logger.ts'
import { infoKeeper } from './info-keeper.ts'

/** Formats that produce JSON and read the values first. */
const formats = {
  json: format.json(),
  'splat and json': format.combine(format.errors({ stack: true }), format.splat(), format.timestamp(), format.json()),
}

describe.each(Object.entries(formats))('hostile values in the format %s', (_, ending) => {
  test.each(hostile)('a log call does not throw and writes %s', (_, make, expected) => {
    const keeper = infoKeeper()
    const logger = createLogger({ format: ending, transports: keeper.transport })
    logger.info('text', { bad: make(), good: 1 })
    const line = JSON.parse(keeper.lines()[0]!) as Record<string, unknown>
    expect(line).toMatchObject({ level: 'info', message: 'text', good: 1 })
    // Formats receive valid Dates as Dates, so own methods of a Date must not be called.
    expect(line['bad']).toEqual(expected)
  })
})

describe.each(
  Object.entries({ simple: format.simple(), prettyPrint: format.prettyPrint(), logstash: format.logstash() }),
)('hostile values in the text format %s', (_, ending) => {
  test.each(hostile)('no record is lost because of %s', (_, make) => {
    const keeper = infoKeeper()
    const logger = createLogger({ format: format.combine(format.splat(), ending), transports: keeper.transport })
    logger.info('text', { bad: make() })
    logger.info('%s %o %j', make(), make(), make())
    logger.info(make())
    expect(keeper.lines()).toHaveLength(3)
    expect(keeper.lines()[0]).toContain('text')
  })
})

const hostileArguments: readonly (readonly [string, () => object])[] = [
  ['a getter that throws', () => getter],
  ['a proxy whose traps throw', () => new Proxy({}, traps)],
  ['an array whose length throws', () => new Proxy([], traps)],
  ['a revoked proxy', () => revoked()],
  ['a revoked array', () => revoked([])],
  ['an object nested 20,000 levels deep', () => nested(20_000)],
  ['a frozen Error', () => Object.freeze(new Error('cold'))],
]

describe.each([
  ['without redaction', {}],
  ['with patterns', { redact: { patterns: ['jwt'] } }],
] as const)('hostile arguments of a winston logger %s', (_case, options) => {
  test.each(hostileArguments)('%s may be passed as any argument of any log call', (_, make) => {
    const keeper = infoKeeper()
    const logger = createLogger({ ...options, transports: keeper.transport, defaultMeta: getter }).child(make())
    logger.info(make())
    logger.info('m', make(), make())
    logger.log('info', make())
    logger.log(make())
    logger.log({ level: 'info', message: make() })
    logger.write(make())
    logger.profile('p', make())
    logger.profile('p', make())
    for (const line of keeper.lines()) expect(() => void JSON.parse(line)).not.toThrow()
    expect(keeper.lines().length).toBeGreaterThanOrEqual(5)
  })
})

test('a log call does not modify its argument, and a member `level` does not change the level', () => {
  const keeper = infoKeeper()
  const logger = createLogger({ transports: keeper.transport })
  const argument = Object.freeze({ level: 'evil', message: 'm' })
  logger.info(argument)
  logger.info('m', { level: 'evil' })
  expect(keeper.lines()).toEqual([`{"level":"info","message":"m"}`, `{"level":"info","message":"m"}`])
})

test('a transport whose log method rejects is reported as rejected', async () => {
  const diagnostics: string[] = []
  class Rejecting extends Transport {
    override log(): never {
      return Promise.reject(new Error('canary')) as never
    }
  }
  const transport = new Rejecting()
  const logger = createLogger({ transports: transport, onDiagnostic: ({ message }) => diagnostics.push(message) })
  logger.info('lost')
  await new Promise((resolve) => setImmediate(resolve))
  expect(diagnostics).toEqual([expect.stringMatching(/ rejected, and the record is lost: Error$/)])
})

test('a record is written as JSON and a diagnostic reported when its format throws', () => {
  const keeper = infoKeeper()
  const diagnostics: string[] = []
  const logger = createLogger({
    format: format.printf((info) => (info['user'] as string).repeat(-1)),
    transports: keeper.transport,
    onDiagnostic: ({ code }) => diagnostics.push(code),
  })
  logger.info('kept', { user: 'ann' })
  expect(JSON.parse(keeper.lines()[0]!)).toMatchObject({
    message: 'kept',
    user: 'ann',
    formatError: expect.any(String),
  })
  expect(diagnostics).toEqual(['SLUICE_FORMAT_FAILED'])
})

test.each(['logger', 'transport'])(
  'the message of an error that a format of a %s throws is neither logged nor reported',
  (component) => {
    const keeper = infoKeeper()
    const diagnostics: string[] = []
    const failing = format(() => {
      throw new RangeError('card 4111 1111 1111 1111')
    })()
    if (component === 'transport') keeper.transport.format = failing
    const logger = createLogger({
      ...(component === 'logger' ? { format: failing } : {}),
      redact: { patterns: ['card'] },
      transports: keeper.transport,
      onDiagnostic: ({ message }) => diagnostics.push(message),
    })
    logger.info('kept')
    expect(JSON.parse(keeper.lines()[0]!)).toMatchObject({ message: 'kept', formatError: '[Threw: RangeError]' })
    expect(diagnostics).toEqual(['a format threw, and the record was written as JSON: RangeError'])
  },
)

describe('hostile values in sluiceTransport', () => {
  test.each(hostile)('sluiceTransport writes %s as `createLogger` does', (_, make, expected) => {
    const keeper = capturingExporter(jsonLines())
    const transport = sluiceTransport({ exporter: keeper, handleExit: false })
    transport.write({ level: 'info', message: 'text', [LEVEL]: 'info', bad: make() })
    const line = JSON.parse(keeper.lines()[0]!) as { attributes: Record<string, unknown> }
    expect(line.attributes['bad']).toEqual(expected)
  })
})

test('a member whose getter throws is replaced by a marker with the error message', () => {
  const keeper = infoKeeper()
  createLogger({ transports: keeper.transport }).info('m', getter)
  expect(JSON.parse(keeper.lines()[0]!)).toEqual({ level: 'info', message: 'm', kept: 1, bad: threw })
})

import { describe, expect, test } from '@jest/globals'
import { createLogger, format, sluiceTransport } from '../../../src/entries/winston.ts'
import { LEVEL } from '../../../src/compat/winston/info.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { getter, hostile, nested, revoked, threw, traps } from '../../support/values/hostile.ts'
import { lineKeeper } from '../../support/files/line-keeper.ts'
import { infoKeeper } from './info-keeper.ts'

/** Formats that end in JSON, and that read values on their way. */
const formats = {
  json: format.json(),
  'splat and json': format.combine(format.errors({ stack: true }), format.splat(), format.timestamp(), format.json()),
}

describe.each(Object.entries(formats))('a hostile value, with %s', (_, ending) => {
  test.each(hostile)('%s is written, and nothing throws', (_, make, expected) => {
    const keeper = infoKeeper()
    const logger = createLogger({ format: ending, transports: keeper.transport })
    logger.info('said', { bad: make(), good: 1 })
    const line = JSON.parse(keeper.lines()[0]!) as Record<string, unknown>
    expect(line).toMatchObject({ level: 'info', message: 'said', good: 1 })
    // Dates that are valid stay Dates for formats; a Date's own methods are not asked.
    expect(line['bad']).toEqual(expected)
  })
})

describe.each(
  Object.entries({ simple: format.simple(), prettyPrint: format.prettyPrint(), logstash: format.logstash() }),
)('a hostile value, with %s', (_, ending) => {
  test.each(hostile)('%s costs no record', (_, make) => {
    const keeper = infoKeeper()
    const logger = createLogger({ format: format.combine(format.splat(), ending), transports: keeper.transport })
    logger.info('said', { bad: make() })
    logger.info('%s %o %j', make(), make(), make())
    logger.info(make())
    expect(keeper.lines()).toHaveLength(3)
    expect(keeper.lines()[0]).toContain('said')
  })
})

test.each([
  ['a getter that throws', () => getter],
  ['a proxy whose traps throw', () => new Proxy({}, traps)],
  ['a revoked proxy', () => revoked()],
  ['20,000 levels', () => nested(20_000)],
  ['a frozen Error', () => Object.freeze(new Error('cold'))],
])('%s may stand wherever a call takes something', (_, make) => {
  const keeper = infoKeeper()
  const logger = createLogger({ transports: keeper.transport, defaultMeta: getter }).child(make())
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

test('what a call says changes nothing of the caller’s, and its level stays', () => {
  const keeper = infoKeeper()
  const logger = createLogger({ transports: keeper.transport })
  const said = Object.freeze({ level: 'evil', message: 'm' })
  logger.info(said)
  logger.info('m', { level: 'evil' })
  expect(keeper.lines()).toEqual([`{"level":"info","message":"m"}`, `{"level":"info","message":"m"}`])
})

test('a format that throws costs a record its form only, and is told', () => {
  const keeper = infoKeeper()
  const problems: string[] = []
  const logger = createLogger({
    format: format.printf((info) => (info['user'] as string).repeat(-1)),
    transports: keeper.transport,
    onDiagnostic: ({ code }) => problems.push(code),
  })
  logger.info('kept', { user: 'ann' })
  expect(JSON.parse(keeper.lines()[0]!)).toMatchObject({
    message: 'kept',
    user: 'ann',
    formatError: expect.any(String),
  })
  expect(problems).toEqual(['SLUICE_FORMAT_FAILED'])
})

test.each(['logger', 'transport'])(
  'the text of what a format of a %s throws is neither logged nor reported',
  (place) => {
    const keeper = infoKeeper()
    const problems: string[] = []
    const failing = format(() => {
      throw new RangeError('card 4111 1111 1111 1111')
    })()
    if (place === 'transport') keeper.transport.format = failing
    const logger = createLogger({
      ...(place === 'logger' ? { format: failing } : {}),
      redact: { patterns: ['card'] },
      transports: keeper.transport,
      onDiagnostic: ({ message }) => problems.push(message),
    })
    logger.info('kept')
    expect(JSON.parse(keeper.lines()[0]!)).toMatchObject({ message: 'kept', formatError: '[Threw: RangeError]' })
    expect(problems).toEqual(['a format threw, and the record was written as JSON: RangeError'])
  },
)

describe('a hostile value through sluiceTransport', () => {
  test.each(hostile)('%s is written as by a logger of this package', (_, make, expected) => {
    const keeper = lineKeeper(jsonLines())
    const transport = sluiceTransport({ exporter: keeper, handleExit: false })
    transport.write({ level: 'info', message: 'said', [LEVEL]: 'info', bad: make() })
    const line = JSON.parse(keeper.lines()[0]!) as { attributes: Record<string, unknown> }
    expect(line.attributes['bad']).toEqual(expected)
  })
})

test('what a member throws is what stands there', () => {
  const keeper = infoKeeper()
  createLogger({ transports: keeper.transport }).info('m', getter)
  expect(JSON.parse(keeper.lines()[0]!)).toEqual({ level: 'info', message: 'm', kept: 1, bad: threw })
})

import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { inspect } from 'node:util'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Format, TransformableInfo } from '../../../src/compat/winston/info.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { createLogger, format, sluiceTransport } from '../../../src/entries/winston.ts'
import { attributesOf, canary, open, ruleOf, scenarios, type Scenario } from '../../encode/redaction-scenarios.ts'
import { lineKeeper } from '../../support/files/line-keeper.ts'
import { infoKeeper } from './info-keeper.ts'

/** A user's own format that shows all it can find, symbols included. */
const nosy = format.printf((info: TransformableInfo) => {
  const symbols = Object.getOwnPropertySymbols(info).map((symbol) => info[symbol])
  return inspect([info, symbols], { depth: 50, showHidden: true, getters: true, maxStringLength: null })
})
const formats: Readonly<Record<string, Format>> = {
  json: format.combine(format.errors({ stack: true, cause: true }), format.json()),
  simple: format.simple(),
  splat: format.combine(format.splat(), format.metadata(), format.logstash()),
  nosy,
}
const places = ['meta', 'message', 'info', 'object', 'splat', 'child', 'default', 'extra', 'profile'] as const
type Place = (typeof places)[number]

/** What all formats make of a scenario, said at some place of a call. */
function linesOf(scenario: Scenario, place: Place, ending: Format, redact: RedactOptions | undefined): string {
  const { top, value } = attributesOf(scenario)
  const said = { [top]: value }
  const keeper = infoKeeper()
  const logger = createLogger({
    format: ending,
    transports: keeper.transport,
    defaultMeta: place === 'default' ? said : null,
    ...(redact === undefined ? {} : { redact }),
  })
  const calls: Readonly<Record<Place, () => unknown>> = {
    meta: () => logger.info(open, said),
    message: () => logger.info({ ...said, said: open }),
    info: () => logger.info({ message: open, ...said }),
    object: () => logger.log('info', { message: open, ...said }),
    splat: () => logger.info(`${open} %j %o %s`, said, said, said, said),
    child: () => logger.child(said).info(open),
    default: () => logger.info(open),
    extra: () => logger.info(open, { more: 1 }, said),
    profile: () => {
      logger.profile(open)
      logger.profile(open, said)
    },
  }
  calls[place]()
  return keeper.lines().join('\n')
}

/** An Error that says the canary, and so does what caused it, wherever it can stand in a call. */
function errorLines(ending: Format, redact?: readonly string[]): string[] {
  const keeper = infoKeeper()
  const logger = createLogger({
    format: ending,
    transports: keeper.transport,
    ...(redact === undefined ? {} : { redact }),
  })
  const error = new RangeError(`no ${canary}`, { cause: new Error(canary) })
  logger.error(error)
  logger.error('m', error)
  logger.error('m', { err: error })
  logger.error('%s', error)
  logger.log({ level: 'error', message: error })
  logger.child({ a: 1 }).error(error)
  logger.log('error', { ...logger.exceptions.getAllInfo(error), exception: false })
  return keeper.lines()
}

test.each(Object.keys(formats))('the covered message of an Error is nowhere: %s', (name) => {
  const plain = errorLines(formats[name]!)
  expect(plain).toHaveLength(7)
  expect(plain.filter((line) => line.includes(canary)).length).toBeGreaterThan(3)
  const covered = errorLines(formats[name]!, ['err.message', 'err.cause.message'])
  expect(covered).toHaveLength(7)
  expect(covered.join('\n')).not.toContain(canary)
})

describe('what a rule covers is in no line, whatever shape it has and wherever a call says it (row 34)', () => {
  test.each(Object.keys(formats))('%s', (name) => {
    fc.assert(
      fc.property(scenarios, fc.constantFrom(...places), (scenario, place) => {
        const lines = linesOf(scenario, place, formats[name]!, ruleOf(scenario))
        expect(lines).not.toContain(canary)
        // A format of text says that there is an object.
        expect(lines).toContain(place === 'message' && name === 'simple' ? '[object Object]' : open)
      }),
      { numRuns: 300 },
    )
  })

  test('without the rule it is there: the test sees what it looks for', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        expect(linesOf(scenario, 'meta', nosy, undefined)).toContain(canary)
      }),
      { numRuns: 100 },
    )
  })

  test('through sluiceTransport', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const keeper = lineKeeper(jsonLines())
        const transport = sluiceTransport({ exporter: keeper, handleExit: false, redact: ruleOf(scenario) })
        const logger = createLogger({ transports: transport })
        const { top, value } = attributesOf(scenario)
        transport.write({ level: 'info', message: open, [Symbol.for('level')]: 'info', [top]: value })
        logger.info(`${open} %j`, { [top]: value })
        expect(keeper.bytes().toString('latin1')).not.toContain(canary)
        expect(keeper.lines()).toHaveLength(2)
      }),
      { numRuns: 300 },
    )
  })
})

test('credentials of headers are covered without a rule, and patterns hold for messages and arguments', () => {
  const keeper = infoKeeper()
  const logger = createLogger({ format: format.combine(format.splat(), format.json()), transports: keeper.transport })
  logger.info('m', { headers: { authorization: `Bearer ${canary}` } })
  const careful = createLogger({
    format: format.combine(format.splat(), format.json()),
    transports: keeper.transport,
    redact: { patterns: ['email'] },
  })
  careful.info('from ann@example.com to %s', 'bob@example.com', {
    cc: 'cid@example.com',
    error: new Error('dan@example.com'),
  })
  careful.error(new Error('eve@example.com'))
  const lines = keeper.lines().join('\n')
  expect(lines).not.toContain(canary)
  expect(lines).not.toContain('@example.com')
  expect(keeper.lines()).toHaveLength(3)
})

import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { inspect } from 'node:util'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Format, TransformableInfo } from '../../../src/compat/winston/info.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { createLogger, format, sluiceTransport } from '../../../src/entries/winston.ts'
import { attributesOf, canary, open, ruleOf, scenarios, type Scenario } from '../../encode/redaction-scenarios.ts'
import { capturingExporter } from '../../support/files/test-logger.ts'
import { infoKeeper } from './info-keeper.ts'

/** A custom format that prints every member, including symbol keys and non-enumerable members. */
const inspectAll = format.printf((info: TransformableInfo) => {
  const symbols = Object.getOwnPropertySymbols(info).map((symbol) => info[symbol])
  return inspect([info, symbols], { depth: 50, showHidden: true, getters: true, maxStringLength: null })
})
const formats: Readonly<Record<string, Format>> = {
  json: format.combine(format.errors({ stack: true, cause: true }), format.json()),
  simple: format.simple(),
  splat: format.combine(format.splat(), format.metadata(), format.logstash()),
  inspectAll,
}
const callForms = ['meta', 'message', 'info', 'object', 'splat', 'child', 'default', 'extra', 'profile'] as const
type CallForm = (typeof callForms)[number]

/** Logs the value of a scenario with a call form and returns the lines. */
function linesOf(scenario: Scenario, form: CallForm, ending: Format, redact: RedactOptions | undefined): string {
  const { top, value } = attributesOf(scenario)
  const fields = { [top]: value }
  const keeper = infoKeeper()
  const logger = createLogger({
    format: ending,
    transports: keeper.transport,
    defaultMeta: form === 'default' ? fields : null,
    ...(redact === undefined ? {} : { redact }),
  })
  const calls: Readonly<Record<CallForm, () => unknown>> = {
    meta: () => logger.info(open, fields),
    message: () => logger.info({ ...fields, other: open }),
    info: () => logger.info({ message: open, ...fields }),
    object: () => logger.log('info', { message: open, ...fields }),
    splat: () => logger.info(`${open} %j %o %s`, fields, fields, fields, fields),
    child: () => logger.child(fields).info(open),
    default: () => logger.info(open),
    extra: () => logger.info(open, { more: 1 }, fields),
    profile: () => {
      logger.profile(open)
      logger.profile(open, fields)
    },
  }
  calls[form]()
  return keeper.lines().join('\n')
}

/** Logs an Error whose message and cause contain the canary with every call form, and returns the lines. */
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

test.each(Object.keys(formats))('a redacted Error message is not in any line of the format %s', (name) => {
  const plain = errorLines(formats[name]!)
  expect(plain).toHaveLength(7)
  expect(plain.filter((line) => line.includes(canary)).length).toBeGreaterThan(3)
  const redacted = errorLines(formats[name]!, ['err.message', 'err.cause.message'])
  expect(redacted).toHaveLength(7)
  expect(redacted.join('\n')).not.toContain(canary)
})

// Fault rows: 34
describe('redaction of generated values in sluice/winston', () => {
  test.each(Object.keys(formats))('no line of the format %s contains a value that a rule matches', (name) => {
    fc.assert(
      fc.property(scenarios, fc.constantFrom(...callForms), (scenario, form) => {
        const lines = linesOf(scenario, form, formats[name]!, ruleOf(scenario))
        expect(lines).not.toContain(canary)
        // format.simple() writes an object instead of a message as [object Object].
        expect(lines).toContain(form === 'message' && name === 'simple' ? '[object Object]' : open)
      }),
      { numRuns: 300 },
    )
  })

  test('the canary is in the lines when no rule is set', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        expect(linesOf(scenario, 'meta', inspectAll, undefined)).toContain(canary)
      }),
      { numRuns: 100 },
    )
  })

  test('no line of sluiceTransport contains a value that a rule matches', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const keeper = capturingExporter(jsonLines())
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

test('credentials of headers are redacted without a rule, and patterns hold for messages and arguments', () => {
  const keeper = infoKeeper()
  const logger = createLogger({ format: format.combine(format.splat(), format.json()), transports: keeper.transport })
  logger.info('m', { headers: { authorization: `Bearer ${canary}` } })
  const withPatterns = createLogger({
    format: format.combine(format.splat(), format.json()),
    transports: keeper.transport,
    redact: { patterns: ['email'] },
  })
  withPatterns.info('from ann@example.com to %s', 'bob@example.com', {
    cc: 'cid@example.com',
    error: new Error('dan@example.com'),
  })
  withPatterns.error(new Error('eve@example.com'))
  const lines = keeper.lines().join('\n')
  expect(lines).not.toContain(canary)
  expect(lines).not.toContain('@example.com')
  expect(keeper.lines()).toHaveLength(3)
})

import { expect, test } from '@jest/globals'
import { SeverityNumber } from '@opentelemetry/api'
import { severityOf, standardLevels } from '../../../src/record/severity.ts'
import { workbench } from '../../support/files/line-keeper.ts'
import { otlpOf } from './otlp-lines.ts'

test('the standard levels are the first numbers of the ranges that the API names (SEV1, DM3)', () => {
  const records = otlpOf((log) => standardLevels.forEach((level) => log[level]('m')))
  expect(records.map(({ severityNumber }) => severityNumber)).toEqual([
    SeverityNumber.TRACE,
    SeverityNumber.DEBUG,
    SeverityNumber.INFO,
    SeverityNumber.WARN,
    SeverityNumber.ERROR,
    SeverityNumber.FATAL,
  ])
})

test('error and fatal say that something went wrong, and no other standard level does (SEV3)', () => {
  const erroneous: number = SeverityNumber.ERROR
  expect(standardLevels.filter((level) => severityOf[level] >= erroneous)).toEqual(['error', 'fatal'])
})

test('a record says the name of its level as its logger has it (DM4)', () => {
  const records = otlpOf((log) => (log.Audit('m'), log.error('m')), { levels: { Audit: 11 } })
  expect(records).toMatchObject([
    { severityNumber: 11, severityText: 'Audit' },
    { severityNumber: 17, severityText: 'error' },
  ])
})

test('levels of one range keep the order of their numbers, whatever they are called (SEV1, SEV2)', () => {
  const { log, written } = workbench({ levels: { a: 12, b: 11, z: 10 }, level: 'b' })
  const said = written(() => (log.z('m'), log.b('m'), log.a('m'), log.info('m'), log.warn('m')))
  expect(said.map(({ level }) => level)).toEqual(['b', 'a', 'warn'])
})

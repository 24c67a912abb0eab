import { expect, test } from '@jest/globals'
import { SeverityNumber } from '@opentelemetry/api'
import { standardSeverities, standardLevels } from '../../../src/record/severity.ts'
import { createTestLogger } from '../../support/files/test-logger.ts'
import { otlpRecordsOf } from './otlp-lines.ts'

// Requirements: SEV1, DM3
test('each standard level has the first severity number of its range in the OpenTelemetry API', () => {
  const records = otlpRecordsOf((log) => standardLevels.forEach((level) => log[level]('m')))
  expect(records.map(({ severityNumber }) => severityNumber)).toEqual([
    SeverityNumber.TRACE,
    SeverityNumber.DEBUG,
    SeverityNumber.INFO,
    SeverityNumber.WARN,
    SeverityNumber.ERROR,
    SeverityNumber.FATAL,
  ])
})

// Requirements: SEV3
test('error and fatal are the only standard levels with a severity number of ERROR or higher', () => {
  const erroneous: number = SeverityNumber.ERROR
  expect(standardLevels.filter((level) => standardSeverities[level] >= erroneous)).toEqual(['error', 'fatal'])
})

// Requirements: DM4
test('the severity text is the level name as the logger defines it', () => {
  const records = otlpRecordsOf((log) => (log.Audit('m'), log.error('m')), { levels: { Audit: 11 } })
  expect(records).toMatchObject([
    { severityNumber: 11, severityText: 'Audit' },
    { severityNumber: 17, severityText: 'error' },
  ])
})

// Requirements: SEV1, SEV2
test('custom levels in one severity range are ordered by number, not by name', () => {
  const { log, captureLines } = createTestLogger({ levels: { a: 12, b: 11, z: 10 }, level: 'b' })
  const records = captureLines(() => (log.z('m'), log.b('m'), log.a('m'), log.info('m'), log.warn('m')))
  expect(records.map(({ level }) => level)).toEqual(['b', 'a', 'warn'])
})

import { expect, test } from '@jest/globals'
import { explainRecord } from '../../../docs/site/.vitepress/playground/worker/explain-record.ts'
import { emptyBoundState } from '../../../src/record/bound.ts'
import { newRecord } from '../../../src/record/record.ts'
import { standardSeverities } from '../../../src/record/severity.ts'

test('the redacted values of the message, the attributes, the exception and other arguments are explained', () => {
  const record = newRecord(0, standardSeverities.info, 'info', emptyBoundState)
  record.body = 'mail to ann@example.com'
  record.attributes = {
    pin: 1,
    get broken() {
      throw new Error('getter')
    },
  }
  record.exception = new Error('no mail to bob@example.com')
  record.extraArguments = [{ pin: 2 }]
  const paths = explainRecord({ paths: ['**.pin'], patterns: ['email'] }, record).map(({ path }) => path)
  expect(paths).toEqual(['(message)', 'pin', '["exception.message"]', '["exception.stacktrace"]', 'args[0].pin'])
})

import { expect, test } from '@jest/globals'
import { counted, lostRecordsText } from '../../src/options/counted.ts'

test.each([
  [0, '0 records', '0 records are lost'],
  [1, '1 record', '1 record is lost'],
  [2, '2 records', '2 records are lost'],
])('a count of %d is written in the correct number', (count, noun, sentence) => {
  expect([counted(count, 'record'), lostRecordsText(count)]).toEqual([noun, sentence])
})

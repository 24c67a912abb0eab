import { expect, test } from '@jest/globals'
import { suggestedNumber } from '../../src/options/suggested-number.ts'

test.each<[string, string, string | undefined]>([
  ['10MB', 'maxQueueBytes', '10000000'],
  ['10 m', 'rotate.size', '10000000'],
  ['10m', 'maxsize', '10000000'],
  ['64k', 'batchBytes', '64000'],
  ['5s', 'timeoutMillis', '5000'],
  ['2m', 'timeoutMillis', '120000'],
  ['500', 'timeoutMillis', '500'],
  ['10k', 'maxQueueSize', undefined],
  ['1k', 'fd', undefined],
  ['1000', 'maxQueueSize', '1000'],
  ['0644', 'mode', '0o644'],
  ['644', 'fileExporter.mode', '0o644'],
  ['0o600', 'mode', '0o600'],
  ['01777', 'mode', '0o1777'],
  ['999', 'mode', undefined],
  ['64k', 'mode', undefined],
  ['fast', 'timeoutMillis', undefined],
  ['5 weeks', 'timeoutMillis', undefined],
  ['', 'timeoutMillis', undefined],
])('the number for %j in %s is %p', (value, where, number) => expect(suggestedNumber(value, where)).toBe(number))

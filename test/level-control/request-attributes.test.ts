import { afterEach, expect, test } from '@jest/globals'
import { createRequestLog, currentRequest } from '../../src/entries/http.ts'
import { captureLogs } from '../../src/entries/testing.ts'
import { noResponse } from '../../src/http/exchange.ts'
import { levelControl, type LevelChange } from '../../src/level-control/level-control.ts'

let change: LevelChange | undefined
afterEach(() => change?.revert())

/** Handles a request, and returns the messages of the debug records that were logged in it. */
function debugMessagesOf(path: string): string[] {
  const { logger, records } = captureLogs({ level: 'info' })
  const scope = createRequestLog({ logger, attributes: () => ({ tenant: 'acme' }) }).begin({
    method: 'GET',
    url: path,
    header: () => undefined,
  })
  scope.run(() => {
    logger.debug('before')
    currentRequest().set({ step: 'pay' })
    logger.debug('after')
  })
  scope.end({ ...noResponse, statusCode: 200 })
  return records.filter(({ level }) => level === 'debug').map(({ message }) => message)
}

test.each<[string, string[], string[]]>([
  ['[url.path=/pay]=debug', ['before', 'after'], []],
  ['[tenant=acme]=debug', ['before', 'after'], ['before', 'after']],
  ['[tenant=other]=debug', [], []],
])('the directive %s is tested with the attributes that all records of a request have', (directives, pay, cart) => {
  change = levelControl().set(directives)
  expect([debugMessagesOf('/pay'), debugMessagesOf('/cart')]).toEqual([pay, cart])
})

test('directives are not tested with the attributes that currentRequest().set() adds to the record of a request', () => {
  change = levelControl().set('[step=pay]=debug')
  expect(debugMessagesOf('/pay')).toEqual([])
})

import { describe, expect, test } from '@jest/globals'
import type { LoggerService } from '@nestjs/common'
import { ConsoleLogger, Logger as NestsLogger } from '@nestjs/common'
import { nestLogger, type NestLevel } from '../../src/entries/nest.ts'
import { captureLogs } from '../../src/entries/testing.ts'
import { hosts } from './hosts/all.ts'
import { serving } from './suite.ts'

describe('nestLogger', () => {
  test('nestLogger maps the levels of Nest', () => {
    using logs = captureLogs()
    const service: LoggerService = nestLogger(logs.logger)
    service.verbose!('a')
    service.debug!('b')
    service.log('c')
    service.warn('d')
    service.error('e')
    service.fatal!('f')
    expect(logs.records.map(({ level }) => level)).toEqual(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
  })

  test('nestLogger distinguishes a context and a stack from other arguments', () => {
    using logs = captureLogs()
    const service = nestLogger(logs.logger)
    const { stack } = new TypeError('no order')
    service.log('a', 'Orders')
    service.log({ order: 1 }, 'Orders')
    service.log('b', { order: 2 }, 'Orders')
    service.error('no order', stack, 'Orders')
    service.error('no order', stack)
    service.error(new RangeError('thrown'), undefined, 'Orders')
    service.error('c', 'Orders')
    service.warn('d', undefined)
    expect(logs.records.map(({ message, attributes, error }) => [message, attributes, error?.type])).toEqual([
      ['a', { context: 'Orders' }, undefined],
      ['', { context: 'Orders', order: 1 }, undefined],
      ['b', { context: 'Orders', order: 2 }, undefined],
      ['no order', { context: 'Orders' }, 'TypeError'],
      ['no order', {}, 'TypeError'],
      ['thrown', { context: 'Orders' }, 'RangeError'],
      ['c', { context: 'Orders' }, undefined],
      ['d', {}, undefined],
    ])
    expect(logs.records[3]!.error).toEqual({ type: 'TypeError', message: 'no order', stacktrace: stack })
  })

  test.each<[string, string]>([
    ['TypeError: no order\n    at main (app.js:1:2)', 'TypeError'],
    ['SyntaxError: no order\n    at JSON.parse (<anonymous>)\n    at main (app.js:1:2)', 'SyntaxError'],
    ['TypeError [ERR_INVALID_URL]: no order\n    at new URL (node:internal/url:1:2)', 'TypeError'],
    ['errors.NotFound: no order\n    at main (app.js:1:2)', 'errors.NotFound'],
  ])('nestLogger parses the error from the stack %j', (stack, type) => {
    using logs = captureLogs()
    nestLogger(logs.logger).error('GET /%c3%a9 %o failed', stack, 'Orders')
    nestLogger(logs.logger).error('GET /%c3%a9 %o failed', stack)
    const error = { type, message: 'no order', stacktrace: stack }
    expect(logs.records.map(({ message, attributes, error }) => [message, attributes, error])).toEqual([
      ['GET /%c3%a9 %o failed', { context: 'Orders' }, error],
      ['GET /%c3%a9 %o failed', {}, error],
    ])
  })

  test('nestLogger parses a multi-line message and an empty message from a stack', () => {
    using logs = captureLogs()
    const service = nestLogger(logs.logger)
    service.error('failed', 'Error: one\ntwo\n    at main (app.js:1:2)')
    service.error('failed', 'RangeError\n    at main (app.js:1:2)')
    expect(logs.records.map(({ error }) => [error!.type, error!.message])).toEqual([
      ['Error', 'one\ntwo'],
      ['RangeError', ''],
    ])
  })

  test('nestLogger does not treat a string of a million line feeds as a stack, and returns quickly', () => {
    using logs = captureLogs()
    const text = '\n'.repeat(1_000_000)
    nestLogger(logs.logger).error('failed', text, 'Orders')
    expect(logs.records[0]).toMatchObject({ message: 'failed', attributes: { context: 'Orders' } })
    expect(logs.records[0]!.error).toBeUndefined()
  })

  test('nestLogger logs an Error as an exception with or without a stack argument', () => {
    using logs = captureLogs()
    const service = nestLogger(logs.logger)
    const error = new TypeError('no order')
    service.error(error, error.stack, 'Orders')
    service.error(error, error.stack)
    for (const { message, attributes, error: logged } of logs.records) {
      expect([message, Object.keys(attributes).filter((name) => name !== 'context')]).toEqual(['no order', []])
      expect(logged).toMatchObject({ type: 'TypeError', message: 'no order' })
    }
  })

  test.each<[NestLevel[], string]>([
    [['error', 'log'], 'log,error,fatal'],
    [['log', 'warn'], 'log,warn,error,fatal'],
    [['verbose', 'fatal'], 'verbose,fatal'],
    [['fatal'], 'fatal'],
    [[], ''],
  ])('nestLogger logs the same levels as the ConsoleLogger of Nest with the levels %j', (levels, logged) => {
    using logs = captureLogs()
    const service = nestLogger(logs.logger)
    service.setLogLevels(levels)
    for (const level of ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'] as const) service[level](level)
    expect(logs.records.map(({ message }) => message).join()).toBe(logged)
    // The levels that Nest's own logger enables.
    const nests = new ConsoleLogger({ logLevels: levels })
    expect(
      ['verbose', 'debug', 'log', 'warn', 'error', 'fatal']
        .filter((level) => nests.isLevelEnabled(level as never))
        .join(),
    ).toBe(logged)
  })

  test('nestLogger logs errors of an application with the attributes of their request', async () => {
    await serving(
      hosts.find(({ name }) => name.startsWith('NestJS'))!,
      {},
      async ({ fetch, ends, logs }) => {
        await fetch('/fails')
        const [end] = await ends(1)
        expect(logs.find({ level: 'info', message: /successfully started/ })!.attributes).toEqual({
          context: 'NestApplication',
        })
        const error = logs.filter({ level: 'error' }).find((record) => record.error !== undefined)!
        expect(error.error).toMatchObject({ type: 'RangeError', message: 'no such order' })
        expect(error.attributes).toMatchObject({
          context: 'ExceptionsHandler',
          'request.id': end!.attributes['request.id'],
        })
        new NestsLogger('Orders').warn('of a class')
        expect(logs.find('of a class')!.attributes).toEqual({ context: 'Orders' })
      },
    )
  })

  test('nestLogger keeps a message that is not a string in an attribute and logs the stack', () => {
    const logs = captureLogs()
    const service = nestLogger(logs.logger)
    const stack = 'TypeError: no route\n    at main (app.js:1:2)'
    service.error({ code: 7 }, stack, 'Router')
    expect(() => service.error(Object.create(null), stack, 'Router')).not.toThrow()
    expect(logs.records.map(({ message, attributes, error }) => [message, attributes, error?.stacktrace])).toEqual([
      ['TypeError: no route', expect.objectContaining({ detail: { code: 7 } }), stack],
      ['TypeError: no route', expect.objectContaining({ detail: {} }), stack],
    ])
  })
})

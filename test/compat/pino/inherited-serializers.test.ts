import { afterEach, expect, test } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { ConfigurationError } from '../../../src/entries/index.ts'
import { captureLogs } from '../../../src/entries/testing.ts'
import { thrower, traps } from '../../support/values/hostile.ts'

const shout = (value: unknown): string => `${String(value)}!`

/** Returns the attribute `a` that a child with these serializers logs. */
function loggedBy(serializers: object): unknown {
  using logs = captureLogs()
  logs.logger.child({}, { serializers: serializers as Record<string, () => unknown> }).info('m', { a: 1 })
  return logs.records[0]!.attributes['a']
}

afterEach(() => {
  delete (Object.prototype as { a?: unknown }).a
})

test('serializers can be inherited from another object, as fastify routes inherit them from plugins', () => {
  const inherited = Object.assign(Object.create(null) as object, { a: shout })
  expect(loggedBy(Object.assign(Object.create(inherited) as object, { b: shout }))).toBe('1!')
  expect(loggedBy(Object.assign(Object.create(inherited) as object, { a: () => 'own' }))).toBe('own')
})

test('members of Object.prototype are not serializers', () => {
  Object.assign(Object.prototype, { a: shout })
  expect(loggedBy({ b: shout })).toBe(1)
  expect(loggedBy(Object.create({ b: shout }) as object)).toBe(1)
  expect(loggedBy(runInNewContext('Object.prototype.a = () => 2; ({ b: () => 3 })') as object)).toBe(1)
})

test('serializers that cannot be read throw a ConfigurationError', () => {
  using logs = captureLogs()
  for (const options of [
    { serializers: new Proxy({}, traps) },
    {
      get serializers() {
        return thrower()
      },
    },
  ]) {
    expect(() => logs.logger.child({}, options)).toThrow(ConfigurationError)
  }
})

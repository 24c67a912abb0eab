import { expect } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { circular, endless, nested, revoked, thrower, traps } from '../support/values/hostile.ts'

class Throwing {
  get bad(): never {
    return thrower()
  }
}

/** Fields at which loggers throw, or lose lines, and what is kept of them at the least. */
export const hostileFields: readonly (readonly [name: string, make: () => object, kept: object])[] = [
  ['a BigInt', () => ({ a: 2n ** 70n, b: 1 }), { b: 1 }],
  ['a cycle', circular, { name: 'self' }],
  ['a toJSON that throws', () => ({ a: { toJSON: thrower, b: 1 }, c: 2 }), { c: 2 }],
  ['a toJSON of the fields', () => ({ toJSON: () => 'nothing', c: 2 }), { c: 2 }],
  [
    'a getter that throws at the top',
    () => Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }),
    { a: '[Threw: no]', b: 1 },
  ],
  [
    'a getter that throws below',
    () => ({ in: Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }) }),
    { in: { b: 1 } },
  ],
  ['a proxy of which each trap throws', () => new Proxy({}, traps), {}],
  ['such a proxy below', () => ({ a: new Proxy({}, traps), b: 1 }), { b: 1 }],
  ['a revoked proxy', () => revoked(), {}],
  ['a revoked array', () => revoked([]), {}],
  ['a revoked proxy below', () => ({ a: revoked(), b: 1 }), { b: 1 }],
  ['a proxy without an end', () => ({ a: endless(['x', 'y']), b: 1 }), { b: 1 }],
  ['20,000 levels', () => ({ a: nested(20_000), b: 1 }), { b: 1 }],
  ['a Map and a Set', () => ({ a: new Map([[1, 2]]), s: new Set([1]) }), { a: {}, s: {} }],
  ['a symbol and a function', () => ({ a: Symbol('x'), f: thrower, b: 1 }), { b: 1 }],
  ['a lone surrogate', () => ({ a: '\ud800' }), { a: '\ud800' }],
  ['a frozen Error', () => Object.freeze(new Error('frozen')), { err: { name: 'Error', message: 'frozen' } }],
  [
    'an Error of another realm',
    () => runInNewContext('new TypeError("elsewhere")') as object,
    { err: { name: 'TypeError', message: 'elsewhere' } },
  ],
  [
    'an Error whose members throw',
    () => Object.defineProperties(new Error('x'), { stack: { get: thrower }, message: { get: thrower } }),
    { err: expect.anything() },
  ],
  ['an instance with a getter that throws', () => new Throwing(), {}],
  ['null bytes and quotes in names', () => ({ 'a"\0': 1 }), { 'a"\0': 1 }],
  ['an own __proto__', () => JSON.parse('{"__proto__":{"polluted":1},"b":1}') as object, { b: 1 }],
]

import { expect } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { circular, endlessProxy, nested, revoked, thrower, traps } from '../support/values/hostile.ts'

class Throwing {
  get bad(): never {
    return thrower()
  }
}

/** Fields for which loggers throw or lose lines, and the members that a line must contain at least. */
export const hostileFields: readonly (readonly [name: string, make: () => object, kept: object])[] = [
  ['a BigInt', () => ({ a: 2n ** 70n, b: 1 }), { b: 1 }],
  ['a cycle', circular, { name: 'self' }],
  ['a toJSON that throws', () => ({ a: { toJSON: thrower, b: 1 }, c: 2 }), { c: 2 }],
  ['fields with a toJSON method', () => ({ toJSON: () => 'nothing', c: 2 }), { c: 2 }],
  [
    'a top-level getter that throws',
    () => Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }),
    { a: '[Threw: no]', b: 1 },
  ],
  [
    'a nested getter that throws',
    () => ({ in: Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true }) }),
    { in: { b: 1 } },
  ],
  ['a proxy whose traps all throw', () => new Proxy({}, traps), {}],
  ['a nested proxy whose traps all throw', () => ({ a: new Proxy({}, traps), b: 1 }), { b: 1 }],
  ['a revoked proxy', () => revoked(), {}],
  ['a revoked array', () => revoked([]), {}],
  ['a nested revoked proxy', () => ({ a: revoked(), b: 1 }), { b: 1 }],
  ['an endlessly nested proxy', () => ({ a: endlessProxy(['x', 'y']), b: 1 }), { b: 1 }],
  ['objects nested 20,000 levels deep', () => ({ a: nested(20_000), b: 1 }), { b: 1 }],
  ['a Map and a Set', () => ({ a: new Map([[1, 2]]), s: new Set([1]) }), { a: {}, s: {} }],
  ['a symbol and a function', () => ({ a: Symbol('x'), f: thrower, b: 1 }), { b: 1 }],
  ['a lone surrogate', () => ({ a: '\ud800' }), { a: '\ud800' }],
  ['a frozen Error', () => Object.freeze(new Error('frozen')), { err: { name: 'Error', message: 'frozen' } }],
  [
    'an Error from another realm',
    () => runInNewContext('new TypeError("elsewhere")') as object,
    { err: { name: 'TypeError', message: 'elsewhere' } },
  ],
  [
    'an Error whose members throw',
    () => Object.defineProperties(new Error('x'), { stack: { get: thrower }, message: { get: thrower } }),
    { err: expect.anything() },
  ],
  ['an instance with a getter that throws', () => new Throwing(), {}],
  ['null bytes and quotes in keys', () => ({ 'a"\0': 1 }), { 'a"\0': 1 }],
  ['an own __proto__ key', () => JSON.parse('{"__proto__":{"polluted":1},"b":1}') as object, { b: 1 }],
]

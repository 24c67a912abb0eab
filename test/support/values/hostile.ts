import { expect } from '@jest/globals'
import { runInNewContext } from 'node:vm'

export function thrower(): never {
  throw new Error('no')
}

export const traps = {
  get: thrower,
  getPrototypeOf: thrower,
  has: thrower,
  ownKeys: thrower,
  getOwnPropertyDescriptor: thrower,
}

export function nested(levels: number): object {
  let value: object = { end: true }
  for (let level = 0; level < levels; level++) value = { in: value }
  return value
}

export function revoked(target: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** A proxy with the given members, each of which is such a proxy. */
export function endlessProxy(members: readonly string[]): object {
  const proxy: object = new Proxy(
    {},
    {
      get: (_, key) => (members.includes(String(key)) ? endlessProxy(members) : undefined),
      ownKeys: () => [...members],
      getOwnPropertyDescriptor: () => ({ value: 0, enumerable: true, configurable: true }),
    },
  )
  return proxy
}

/** A proxy of an array whose `length` is the given value. */
export function arrayWithLength(length: unknown): object {
  return new Proxy([], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) })
}

export function circular(): object {
  const value: Record<string, unknown> = { name: 'self' }
  value['self'] = value
  return value
}

export class Own extends Map<string, unknown> {
  override get size(): number {
    return thrower()
  }
  override forEach(): void {
    thrower()
  }
  override entries(): never {
    return thrower()
  }
}
const date = Object.assign(new Date(0), { toISOString: thrower, toJSON: thrower, getTime: thrower, valueOf: thrower })

export const getter = {
  kept: 1,
  get bad(): never {
    return thrower()
  },
}
export const threw = '[Threw: no]'

function named(): void {}

// oxlint-disable-next-line require-yield
function* consumed(): Generator {
  thrower()
}

/** Hostile values and their expected output, which is complete where any other logger writes it completely. */
export const hostile: readonly (readonly [string, () => unknown, unknown])[] = [
  ['a BigInt', () => 2n ** 70n, '1180591620717411303424'],
  ['a cycle', circular, { name: 'self', self: '[Circular]' }],
  ['a toJSON that throws', () => ({ toJSON: thrower }), threw],
  ['a getter that throws', () => getter, { kept: 1, bad: threw }],
  ['a proxy whose traps throw', () => new Proxy({}, traps), threw],
  ['a revoked proxy', revoked, expect.stringContaining('revoked')],
  ['a revoked array', () => revoked([]), expect.stringContaining('revoked')],
  ['a Map', () => new Map([['a', 1]]), { a: 1 }],
  [
    'a Map with other keys',
    () =>
      new Map<unknown, unknown>([
        [1, 'one'],
        [{ k: 1 }, 2],
      ]),
    [
      [1, 'one'],
      [{ k: 1 }, 2],
    ],
  ],
  ['a Set', () => new Set([1, 'two']), [1, 'two']],
  ['a Symbol', () => Symbol('s'), 'Symbol(s)'],
  ['a function', () => named, '[Function: named]'],
  [
    'an Error',
    () => new RangeError('bad'),
    { type: 'RangeError', message: 'bad', stacktrace: expect.stringContaining('RangeError: bad\n    at ') },
  ],
  [
    'a frozen Error',
    () => Object.freeze(new Error('cold')),
    expect.objectContaining({ type: 'Error', message: 'cold' }),
  ],
  [
    'an Error of another realm',
    () => runInNewContext('new TypeError("far")') as unknown,
    expect.objectContaining({ type: 'TypeError', message: 'far' }),
  ],
  [
    'an Error whose members throw',
    () =>
      Object.defineProperties(new Error('x'), {
        stack: { get: thrower },
        message: { get: thrower },
        cause: { get: thrower },
      }),
    expect.objectContaining({ type: 'Error', message: threw, cause: threw }),
  ],
  ['bytes of another realm', () => runInNewContext('new Uint8Array([1, 2, 3])') as unknown, 'AQID'],
  ['a Map of another realm', () => runInNewContext('new Map([["a", 1]])') as unknown, { a: 1 }],
  ['half a surrogate pair', () => 'a\ud800b', 'a\ud800b'],
  ['control characters', () => '\u0000\u001b[31m\u009b\u2028\r\n', '\u0000\u001b[31m\u009b\u2028\r\n'],
  [
    'an own __proto__',
    () => JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
    JSON.parse('{"__proto__":{"polluted":1}}'),
  ],
  [
    'own members named like those of Object',
    () => ({ hasOwnProperty: 1, toString: null, valueOf: 'x', constructor: 2 }),
    { hasOwnProperty: 1, toString: null, valueOf: 'x', constructor: 2 },
  ],
  ['a Map whose methods throw', () => new Own([['a', 1]]), { a: 1 }],
  ['a Date whose methods throw', () => date, '1970-01-01T00:00:00.000Z'],
  [
    'a toString that throws',
    () => ({ toString: thrower, [Symbol.toPrimitive]: thrower }),
    { toString: '[Function: thrower]' },
  ],
  ['a name that throws', () => Object.defineProperty(() => {}, 'name', { get: thrower }), '[Function]'],
  [
    'an array without end',
    () => arrayWithLength(2 ** 40),
    [...Array<null>(1_000).fill(null), '[+1099511626776 items]'],
  ],
  ['an array without a length', () => arrayWithLength('long'), []],
  [
    'errors without a length',
    () => Object.assign(new AggregateError([], 'x'), { errors: arrayWithLength(Symbol('length')) }),
    expect.objectContaining({ errors: [] }),
  ],
  ['a class that claims to be a Date', () => ({ [Symbol.toStringTag]: 'Date', a: 1 }), { a: 1 }],
  [
    'values that must not be consumed',
    () => [Promise.reject(new Error('later')).catch(() => 0), new WeakMap(), consumed()].filter((v) => v !== undefined),
    ['[Promise]', '[WeakMap]', '[Generator]'],
  ],
]

import * as fc from 'fast-check'
import { runInNewContext } from 'node:vm'
import { descriptions, keys, nastyText } from '../../support/values/arbitraries.ts'
import { build, type Description } from '../../support/build.ts'
import { canary } from './canary.ts'
import { endless, pretending, revoked, thrower, traps } from './traps.ts'

/**
 * A description of a value as plain data, which can be saved and built again: any value, one of the tricks below, the secret in some
 * form, or one of these in a container.
 */
export type Plan =
  | { readonly is: 'any'; readonly value: Description }
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'trick'; readonly name: string }
  | { readonly is: 'secret'; readonly as: string }
  | { readonly is: 'in'; readonly as: Container; readonly members: readonly (readonly [string, Plan])[] }

type Container = (typeof containers)[number]
const containers = ['object', 'bare', 'class', 'map', 'set', 'array', 'error', 'getters', 'proxy', 'toJSON'] as const

class Shop {
  readonly #own = 1
  get own(): number {
    return this.#own
  }
}

/** Hostile values. The names are stored in the corpus. */
const tricks: Readonly<Record<string, () => unknown>> = {
  'a proxy whose traps throw': () => new Proxy({}, traps),
  'a revoked object': () => revoked({}),
  'a revoked array': () => revoked([]),
  'an array of 2^40 items': () => pretending(2 ** 40),
  'an array whose length is a symbol': () => pretending(Symbol('length')),
  'a toJSON that throws': () => ({ toJSON: thrower }),
  'an Error whose members throw': () =>
    Object.defineProperties(new Error('x'), {
      stack: { get: thrower },
      message: { get: thrower },
      cause: { get: thrower },
      name: { get: thrower },
    }),
  'a Date whose methods throw': () => Object.assign(new Date(0), { toISOString: thrower, toJSON: thrower }),
  'a function whose name throws': () => Object.defineProperty(() => {}, 'name', { get: thrower }),
  '20,000 levels': () => {
    let value: object = { end: true }
    for (let level = 0; level < 20_000; level++) value = { in: value }
    return value
  },
  'a proxy without end': () => endless(['a']),
  'an array that is longer than its length': () => pretending(-1),
  'an array of NaN items': () => pretending(NaN),
  'a thenable': () => ({ then: thrower }),
  'a thenable that throws when read': () =>
    Object.defineProperty({}, 'then', { get: thrower, enumerable: true, configurable: true }),
  'a getter that answers otherwise each time': () => {
    let count = 0
    return Object.defineProperty({}, 'n', { get: () => (count++ === 0 ? 'first' : { again: count }), enumerable: true })
  },
  'an object that grows while it is read': () => {
    const grows: Record<string, unknown> = {}
    Object.defineProperty(grows, 'a', {
      enumerable: true,
      get() {
        grows[`k${Object.keys(grows).length}`] = 1
        return 1
      },
    })
    return grows
  },
  'an array that loses its items': () => {
    const list: unknown[] = [1, 2, 3]
    Object.defineProperty(list, 0, { enumerable: true, configurable: true, get: () => list.splice(0) })
    return list
  },
  'an array subclass whose methods throw': () => {
    class Throwing extends Array<unknown> {
      override map = thrower
      override forEach = thrower
    }
    return Throwing.from([1, 2])
  },
  'forged core fields': () =>
    JSON.parse(
      '{"timestamp":"1999","level":"fatal","message":"forged","severity_number":24,"trace_id":"0","attributes":{"a":1},"resourceLogs":[]}',
    ) as unknown,
  'an own __proto__ with getters': () =>
    Object.defineProperty({}, '__proto__', { value: { polluted: 1 }, enumerable: true, configurable: true }),
  'a constructor with a prototype': () => JSON.parse('{"constructor":{"prototype":{"polluted":1}}}') as unknown,
  'a toStringTag that throws': () => Object.defineProperty({}, Symbol.toStringTag, { get: thrower }),
  'a toStringTag of an Error': () => ({ [Symbol.toStringTag]: 'Error', message: 'no', stack: 3 }),
  'an iterator that never ends': () => ({ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }),
  'a species that throws': () => Object.assign([1, 2], { constructor: { [Symbol.species]: thrower } }),
  'a Proxy of a function': () => new Proxy(() => {}, traps),
  'a Proxy of an Error': () => new Proxy(new Error('x'), traps),
  'a Date of another realm': () => runInNewContext('new Date(0)') as unknown,
  'a RegExp with hostile members': () => Object.defineProperty(/x/g, 'source', { get: thrower }),
  'a URL with a password': () => new URL('https://me:hidden@host/'),
  'many causes': () => {
    let error = new Error('first')
    for (let depth = 0; depth < 40; depth++) error = new Error(`next\n    at ${depth}`, { cause: error })
    return error
  },
  'an Error whose stack is no text': () => Object.defineProperty(new Error('x'), 'stack', { value: { a: 1 } }),
  'an Error with a forged stack': () =>
    Object.defineProperty(new Error('x'), 'stack', { value: 'Error: x\n\u001b[31m{"level":"fatal"}\r\n    at \u2028' }),
  'an Error whose name is no text': () => Object.assign(new Error('x'), { name: { toString: thrower } }),
  'a detached buffer': () => {
    const buffer = new ArrayBuffer(8)
    const view = new Uint8Array(buffer)
    structuredClone(buffer, { transfer: [buffer] })
    return view
  },
  'a text of 100,000 characters': () => '\ud800"\n\u009bé'.repeat(20_000),
  'a sparse array': () => Object.assign([], { 5: 'x', 4_294_967_294: 'end' }),
  'an array with members': () => Object.assign([1], { more: 2, __proto__: null }),
  'bytes that pretend to be short': () => Object.defineProperty(new Uint8Array(4), 'length', { value: 2 ** 40 }),
  'a symbol without a description': () => Symbol(undefined),
  'a boxed text that throws': () => Object.assign(Object('x') as object, { toString: thrower, valueOf: thrower }),
}

const long = ['an array of 2^40 items', 'a text of 100,000 characters', '20,000 levels', 'a proxy without end']

/** Forms in which a redacted value can contain the secret. */
const secrets: Readonly<Record<string, () => unknown>> = {
  text: () => canary,
  inside: () => `before ${canary}\n${canary} after`,
  long: () => `${'x'.repeat(150_000)}${canary}`,
  object: () => ({ inner: { value: canary, list: [canary] } }),
  array: () => [1, [canary]],
  map: () =>
    new Map<unknown, unknown>([
      ['a', canary],
      [1, canary],
    ]),
  set: () => new Set([canary]),
  bytes: () => Buffer.from(`--${canary}--`),
  buffer: () => new Uint8Array(Buffer.from(canary)).buffer,
  error: () => new Error(canary, { cause: new Error(canary) }),
  aggregate: () => new AggregateError([new Error(canary), canary], canary),
  url: () => new URL(`https://user:${canary}@host/${canary}?q=${canary}`),
  query: () => new URLSearchParams({ q: canary }),
  symbol: () => Symbol(canary),
  function: () => Object.defineProperty(() => {}, 'name', { value: canary }),
  boxed: () => Object(canary) as unknown,
  toJSON: () => ({ toJSON: () => canary }),
  throwing: () => ({
    toJSON() {
      throw new Error(canary)
    },
  }),
  getter: () => ({
    get value(): never {
      throw new Error(canary)
    },
  }),
  proxy: () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error(canary)
        },
      },
    ),
  headers: () => new Headers({ 'x-other': canary }),
  regexp: () => new RegExp(canary),
}

/** Keys whose values the rules of {@link redact} redact at any position, in several spellings. */
export const redactedKeys: readonly string[] = ['secretKey', 'SECRET_KEY', 'secret-key', 'tokenA', 'token\n"', 'pin']
/** Rules that redact {@link redactedKeys}, and paths. */
export const redact = { paths: ['**.pin', 'user.pin', 'err.secretKey'], keys: ['secretKey', /^token/i] }

/** Builds the value. */
export function make(plan: Plan): unknown {
  switch (plan.is) {
    case 'any':
      return build(plan.value)
    case 'text':
      return plan.value
    case 'trick':
      return tricks[plan.name]!()
    case 'secret':
      return secrets[plan.as]!()
    default:
      return contained(plan.as, plan.members)
  }
}

/** Builds a plain object with such members. */
export function makeMembers(members: readonly (readonly [string, Plan])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [key, plan] of members) define(object, key, { value: make(plan), writable: true })
  return object
}

function contained(as: Container, members: readonly (readonly [string, Plan])[]): unknown {
  switch (as) {
    case 'map':
      return new Map(members.map(([key, plan]) => [key, make(plan)]))
    case 'set':
      return new Set(members.map((member) => makeMembers([member])))
    case 'array':
      return members.map((member) => makeMembers([member]))
    case 'toJSON':
      return { toJSON: () => makeMembers(members) }
    case 'proxy':
      return new Proxy(makeMembers(members), {})
    default: {
      const object: object =
        as === 'bare'
          ? (Object.create(null) as object)
          : as === 'class'
            ? new Shop()
            : as === 'error'
              ? new Error('an error with members')
              : {}
      for (const [key, plan] of members) {
        const value = make(plan)
        define(object, key, as === 'getters' ? { get: () => value } : { value, writable: true })
      }
      return object
    }
  }
}

function define(object: object, key: string, descriptor: PropertyDescriptor): void {
  Object.defineProperty(object, key, { ...descriptor, enumerable: true, configurable: true })
}

const secret: fc.Arbitrary<Plan> = fc.record({
  is: fc.constant('secret' as const),
  as: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...Object.keys(secrets).filter((name) => name !== 'long')) },
    fc.constant('long'),
  ),
})

const tricky: fc.Arbitrary<Plan> = fc.record({
  is: fc.constant('trick' as const),
  // What takes long is rare.
  name: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...Object.keys(tricks).filter((name) => !long.includes(name))) },
    fc.constantFrom(...long),
  ),
})

const { plan, member } = fc.letrec<{ plan: Plan; member: readonly [string, Plan] }>((tie) => ({
  member: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(keys, tie('plan')) },
    // Only under these may the secret be.
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...redactedKeys), secret) },
  ),
  plan: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('text' as const), value: nastyText }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('any' as const), value: descriptions }) },
    { weight: 3, arbitrary: tricky },
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constant('in' as const),
        as: fc.constantFrom(...containers),
        members: uniqueMembers(tie('member')),
      }),
    },
  ),
}))

/** Any value, with the secret only where the rules redact it. */
export const plans: fc.Arbitrary<Plan> = plan

/** The members of an object. */
export const members: fc.Arbitrary<readonly (readonly [string, Plan])[]> = uniqueMembers(member)

/** The secret in any form. */
export const secretPlans: fc.Arbitrary<Plan> = secret

function uniqueMembers(one: fc.Arbitrary<readonly [string, Plan]>): fc.Arbitrary<readonly (readonly [string, Plan])[]> {
  return fc.uniqueArray(one, { maxLength: 5, selector: ([key]) => key })
}

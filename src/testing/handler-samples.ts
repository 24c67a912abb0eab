import { BoundState, emptyBoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { emptyScopeDetails } from '../record/instrumentation-source.ts'
import { standardSeverities, standardLevels } from '../record/severity.ts'
import { addMembers } from '../options/define-member.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** A kind of record that a log call can create. */
export interface HandlerSample {
  /** A description of the record. */
  readonly name: string
  /** Creates the record with new objects on each call. */
  make(): LogRecord
  /** Whether the record contains a proxy that throws, or that has a value for every name. Such records cannot be compared. */
  readonly isHostile: boolean
}

/** The error that hostile objects throw when they are read, and that a next handler may throw. A handler may let it propagate. */
export const toleratedError: Error = new Error('an object of the caller threw when it was read')

/** Typical records. */
export const usualSamples: readonly HandlerSample[] = [
  ...standardLevels.map((level) =>
    sample(`a record of level ${level}`, () => ({
      level,
      severity: standardSeverities[level],
      attributes: { path: '/orders', method: 'GET', status: 200, user: { id: 7, roles: ['admin'] } },
    })),
  ),
  sample('only a message', () => ({ attributes: undefined })),
  sample('a template', () => ({ body: 'order {id} placed', attributes: { id: 7 } })),
  sample('a format', () => ({ body: '%s took %d ms', printfArguments: ['/orders', 5], attributes: undefined })),
  sample('only attributes', () => ({ body: undefined, attributes: { path: '/orders' } })),
  sample('nothing', () => ({ body: undefined, attributes: undefined })),
  sample('an Error', () => ({
    level: 'error',
    severity: standardSeverities.error,
    body: undefined,
    exception: sampleError(),
  })),
  sample('a message and an Error', () => ({
    level: 'warn',
    severity: standardSeverities.warn,
    exception: sampleError(),
  })),
  sample('an event', () => ({ body: undefined, eventName: 'order.placed', attributes: { orderId: 'o-1' } })),
  sample('a record of a span', () => ({ span: { ...spanIds, traceFlags: 1 } })),
  sample('a record of a span that is not sampled', () => ({ span: { ...spanIds, traceFlags: 0 } })),
  sample('a record of a child logger', () => ({ bound: boundState(new Map([['requestId', 'r-1']])) })),
]

/** Unusual records that a log call can create. */
export const unusualSamples: readonly HandlerSample[] = [
  ...[null, 5, 5n, true, NaN, Symbol('s'), () => 'a'].map((body) =>
    sample(`a message that is a ${typeof body}`, () => ({ body })),
  ),
  sample('a message that is an object', () => ({ body: { a: { b: 1 } } })),
  sample('a message that is an array', () => ({ body: ['a', { b: 1 }] })),
  sample('a message that is an invalid date', () => ({ body: new Date(NaN) })),
  sample('an empty message', () => ({ body: '' })),
  sample('a message of a million characters', () => ({ body: 'x'.repeat(1_000_000) })),
  sample('attributes without a prototype', () => ({
    attributes: withoutPrototype({ path: '/orders' }),
  })),
  sample('attributes in a Map', () => ({ attributes: new Map([['path', '/orders']]) })),
  sample('attributes with a cycle', () => {
    const attributes: Record<string, unknown> = { path: '/orders' }
    attributes['self'] = attributes
    return { attributes }
  }),
  sample('many attributes', () => ({
    attributes: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index])),
  })),
  sample('frozen attributes', () => ({ attributes: Object.freeze({ path: '/orders' }) })),
  ...[null, 5, 5n, Symbol('s'), {}, ''].map((value) =>
    sample(`attributes that are each a ${typeof value}`, () => ({ attributes: objectWithEveryMember(value) }), true),
  ),
  sample('attributes that throw when they are read', () => ({ attributes: new Proxy({}, throwingTraps) }), true),
  sample('a message that throws when it is read', () => ({ body: new Proxy({}, throwingTraps) }), true),
  sample(
    'an exception that throws when it is read',
    () => ({ exception: new Proxy(new Error('no'), throwingTraps) }),
    true,
  ),
  sample('an exception that is not an Error', () => ({ exception: { name: 'string', message: 'no' } })),
]

function sample(name: string, changes: () => Partial<LogRecord>, isHostile = false): HandlerSample {
  return { name, isHostile, make: () => ({ ...plainRecord(), ...changes() }) }
}

const spanIds = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

function plainRecord(): LogRecord {
  const record = newRecord(Date.UTC(2000, 0, 1), standardSeverities.info, 'info', boundState(new Map()))
  record.body = 'a request was answered'
  record.attributes = { path: '/orders' }
  return record
}

function boundState(attributes: BoundState['attributes']): BoundState {
  const scope = { ...emptyScopeDetails, name: 'checkHandler', version: undefined }
  return BoundState.ofSource({ scope, resource: emptyBoundState.resource }, attributes)
}

function sampleError(): Error {
  return addMembers(new RangeError('over the limit', { cause: new Error('no') }), { code: 'E_LIMIT', limits: [1] })
}

/** Returns an object that returns the value for every member name. */
function objectWithEveryMember(value: unknown): object {
  return new Proxy(
    {},
    withoutPrototype({ get: (_: object, key: string | symbol) => (typeof key === 'string' ? value : undefined) }),
  )
}

function throwHostile(): never {
  throw toleratedError
}

const throwingTraps: ProxyHandler<object> = withoutPrototype({
  get: throwHostile,
  getPrototypeOf: throwHostile,
  has: throwHostile,
  ownKeys: throwHostile,
  getOwnPropertyDescriptor: throwHostile,
})

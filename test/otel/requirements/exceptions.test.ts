import { describe, expect, test } from '@jest/globals'
import { otlpOf, textsOf } from './otlp-lines.ts'

/** The attributes of the record of an exception. */
function told(exception: unknown, attributes: object = {}): Record<string, unknown> {
  const [record] = otlpOf((log) => log.error('failed', attributes, exception))
  return textsOf(record!)
}

class Refused extends Error {}

/** A stack without its head. */
const framesOf = (stack: string): string => stack.slice(stack.indexOf('\n    at '))

const throwing = {
  get: () => {
    throw new Error('no')
  },
}

describe('an exception in OTLP', () => {
  test.each<[string, Error]>([
    ['neither message nor stack', Object.assign(new Error(''), { stack: undefined })],
    ['an empty name', Object.assign(new Error(''), { name: '', stack: '' })],
    ['nothing of an Error but its prototype', Object.create(Error.prototype) as Error],
    ['a name that is no text', Object.assign(new Error(''), { name: Symbol('n') })],
    ['a name and a message that throw', Object.defineProperties(new Error('x'), { name: throwing, message: throwing })],
    ['no prototype but that of a class without a name', new (class extends Error {})()],
  ])('has a type or a message where it has %s (EXC1)', (_, error) => {
    const { 'exception.type': type, 'exception.message': message } = told(error)
    expect([type, message].some((text) => typeof text === 'string' && text !== '')).toBe(true)
  })

  test('is called by its class, which was found when it was thrown, and never by its code (EXC3, D7)', () => {
    expect(told(Object.assign(new Refused('x'), { code: 'ECONNREFUSED' }))).toMatchObject({
      'exception.type': 'Refused',
      'exception.message': 'x',
    })
    expect(told(Object.assign(new Error('x'), { code: 5 }))).toMatchObject({ 'exception.type': 'Error' })
    expect(told(new TypeError('x'))).toMatchObject({ 'exception.type': 'TypeError' })
  })

  test('has the stack of V8, and behind it those of its causes (EXC3, D7)', () => {
    const cause = new RangeError('why')
    const error = new Refused('what', { cause })
    const stack = told(error)['exception.stacktrace'] as string
    expect(stack).toContain(framesOf(error.stack!))
    expect(stack).toContain(`Caused by: ${cause.stack!}`)
  })

  test('gives way to attributes of the same names in its call, and not to members of its own (EXC2)', () => {
    const own = { 'exception.type': 'mine', 'exception.stacktrace': 'none' }
    expect(told(new Error('x'), own)).toMatchObject({ ...own, 'exception.message': 'x' })
    const thrown = Object.assign(new Error('x'), own)
    expect(told(thrown)).toMatchObject({ 'exception.type': 'Error' })
  })

  test('is closer to its record than what a child bound, and no name stands twice (EXC2)', () => {
    const [record] = otlpOf((log) => log.child({ 'exception.type': 'bound' }).error('failed', new Error('x')))
    const types = record!.attributes!.filter(({ key }) => key === 'exception.type')
    expect(types).toEqual([{ key: 'exception.type', value: { stringValue: 'Error' } }])
  })

  test('is whole beside as many attributes as a record may have (D7)', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'v']))
    expect(told(new Error('x'), many)).toMatchObject({
      k127: 'v',
      'exception.type': 'Error',
      'exception.message': 'x',
      'exception.stacktrace': expect.stringContaining('Error: x'),
    })
  })

  test('has the severity of the call that says it (EXC4)', () => {
    const records = otlpOf((log) => {
      log.debug('harmless', new Error('x'))
      log.warn('handled', new Error('x'))
      log.error('unhandled', new Error('x'))
      log.fatal('the end', new Error('x'))
    })
    expect(records.map(({ severityNumber }) => severityNumber)).toEqual([5, 13, 17, 21])
    expect(records.map((record) => textsOf(record)['exception.type'])).toEqual(Array(4).fill('Error'))
  })
})

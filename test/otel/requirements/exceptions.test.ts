import { describe, expect, test } from '@jest/globals'
import { otlpRecordsOf, stringAttributesOf } from './otlp-lines.ts'

/** Returns the attributes of the record of an exception, as strings. */
function attributesOf(exception: unknown, attributes: object = {}): Record<string, unknown> {
  const [record] = otlpRecordsOf((log) => log.error('failed', attributes, exception))
  return stringAttributesOf(record!)
}

class Refused extends Error {}

/** Returns the frames of a stack, without the message. */
const framesOf = (stack: string): string => stack.slice(stack.indexOf('\n    at '))

const throwing = {
  get: () => {
    throw new Error('no')
  },
}

describe('exceptions in OTLP', () => {
  // Requirements: EXC1
  test.each<[string, Error]>([
    ['neither message nor stack', Object.assign(new Error(''), { stack: undefined })],
    ['an empty name', Object.assign(new Error(''), { name: '', stack: '' })],
    ['only the prototype of Error', Object.create(Error.prototype) as Error],
    ['a name that is not a string', Object.assign(new Error(''), { name: Symbol('n') })],
    [
      'a name and a message whose getters throw',
      Object.defineProperties(new Error('x'), { name: throwing, message: throwing }),
    ],
    ['the prototype of an anonymous class', new (class extends Error {})()],
  ])('an exception with %s has a type or a message', (_, error) => {
    const { 'exception.type': type, 'exception.message': message } = attributesOf(error)
    expect([type, message].some((text) => typeof text === 'string' && text !== '')).toBe(true)
  })

  // Requirements: EXC3, D7
  test('exception.type is the class name of the exception and never its code', () => {
    expect(attributesOf(Object.assign(new Refused('x'), { code: 'ECONNREFUSED' }))).toMatchObject({
      'exception.type': 'Refused',
      'exception.message': 'x',
    })
    expect(attributesOf(Object.assign(new Error('x'), { code: 5 }))).toMatchObject({ 'exception.type': 'Error' })
    expect(attributesOf(new TypeError('x'))).toMatchObject({ 'exception.type': 'TypeError' })
  })

  // Requirements: EXC3, D7
  test('exception.stacktrace contains the V8 stack, followed by the stacks of the causes', () => {
    const cause = new RangeError('why')
    const error = new Refused('what', { cause })
    const stack = attributesOf(error)['exception.stacktrace'] as string
    expect(stack).toContain(framesOf(error.stack!))
    expect(stack).toContain(`Caused by: ${cause.stack!}`)
  })

  // Requirements: EXC2
  test('attributes of the call override exception attributes, but properties of the Error do not', () => {
    const own = { 'exception.type': 'mine', 'exception.stacktrace': 'none' }
    expect(attributesOf(new Error('x'), own)).toMatchObject({ ...own, 'exception.message': 'x' })
    const thrown = Object.assign(new Error('x'), own)
    expect(attributesOf(thrown)).toMatchObject({ 'exception.type': 'Error' })
  })

  // Requirements: EXC2
  test('exception attributes override attributes of a child logger, and no key is repeated', () => {
    const [record] = otlpRecordsOf((log) => log.child({ 'exception.type': 'bound' }).error('failed', new Error('x')))
    const types = record!.attributes!.filter(({ key }) => key === 'exception.type')
    expect(types).toEqual([{ key: 'exception.type', value: { stringValue: 'Error' } }])
  })

  // Requirements: D7
  test('an exception keeps all of its attributes in a record with more attributes than the limit', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'v']))
    expect(attributesOf(new Error('x'), many)).toMatchObject({
      k127: 'v',
      'exception.type': 'Error',
      'exception.message': 'x',
      'exception.stacktrace': expect.stringContaining('Error: x'),
    })
  })

  // Requirements: EXC4
  test('an exception is recorded with the severity of its log call', () => {
    const records = otlpRecordsOf((log) => {
      log.debug('harmless', new Error('x'))
      log.warn('handled', new Error('x'))
      log.error('unhandled', new Error('x'))
      log.fatal('the end', new Error('x'))
    })
    expect(records.map(({ severityNumber }) => severityNumber)).toEqual([5, 13, 17, 21])
    expect(records.map((record) => stringAttributesOf(record)['exception.type'])).toEqual(Array(4).fill('Error'))
  })
})

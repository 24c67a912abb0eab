import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { decodeOtlpJson, type NumberConsumer, type DecodedValue } from '../../../src/encode/otlp/otlp-decode.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import type { AnyValue } from '../../../src/record/any-value.ts'
import type { LogRecord } from '../../../src/record/record.ts'
import { keys, nastyText } from '../../support/values/arbitraries.ts'
import { recordOf, records, rules, span, time } from '../../support/values/records.ts'

/** Encodes records and returns them decoded. */
function decodedOf(all: readonly LogRecord[], numbers: NumberConsumer = 'double'): ReturnType<typeof decodeOtlpJson> {
  const encoder = encoderFor(otlpEncoding('http/json'), rules)
  return decodeOtlpJson(all.map((record) => encoder.encode(record) as string).join(''), numbers)
}

function valueOf(value: unknown, numbers: NumberConsumer = 'double'): DecodedValue | undefined {
  return decodedOf([recordOf({ attributes: { value } })], numbers)[0]!.attributes.value
}

test('every field is decoded, and unset fields are absent', () => {
  const exactTimes = { nanos: 456_789, observedNanos: '1795255000000000001' }
  const full = recordOf({
    exactTimes,
    body: { text: 'said', n: 1 },
    attributes: { a: 'b' },
    droppedAttributes: 2,
    span,
    eventName: 'order.placed',
  })
  expect(decodedOf([full, recordOf({ severity: 0, level: '', time: 0 })])).toEqual([
    {
      timeUnixNano: `${time}456789`,
      observedTimeUnixNano: '1795255000000000001',
      severityNumber: 9,
      severityText: 'info',
      body: { text: 'said', n: 1 },
      attributes: { a: 'b' },
      droppedAttributesCount: 2,
      flags: 1,
      traceId: span.traceId,
      spanId: span.spanId,
      eventName: 'order.placed',
    },
    { severityNumber: 0, attributes: {}, droppedAttributesCount: 0, flags: 0 },
  ])
})

test('records are decoded in their order', () => {
  const all = records()
  expect(decodedOf([...all, ...all]).map(({ body }) => body)).toEqual(
    [...all, ...all].map((record) => decodedOf([record])[0]!.body),
  )
})

describe('decoded numbers', () => {
  test.each<[unknown, DecodedValue, DecodedValue]>([
    [42, 42, 42],
    [-0, 0, 0],
    [1.5, 1.5, 1.5],
    [Number.MAX_SAFE_INTEGER, 9007199254740991, 9007199254740991],
    [2 ** 60, 2 ** 60, '1152921504606846976'],
    [2n ** 53n + 1n, '9007199254740993', '9007199254740993'],
    [-(2n ** 63n), -(2 ** 63), '-9223372036854775808'],
    [2n ** 63n - 1n, '9223372036854775807', '9223372036854775807'],
    [2n ** 64n, '18446744073709551616', '18446744073709551616'],
    [1e21, 1e21, '1e+21'],
    [1e300, 1e300, '1e+300'],
    [5e-324, 5e-324, 5e-324],
    [NaN, NaN, 'NaN'],
    [Infinity, Infinity, 'Infinity'],
    [-Infinity, -Infinity, '-Infinity'],
  ])('the number %p is decoded as %p for doubles and %p for JSON', (value, double, json) => {
    expect(valueOf(value)).toBe(double)
    expect(valueOf(value, 'json')).toBe(json)
  })

  // Requirements: JS6
  test('JSON.stringify writes the digits of the integer for an OTLP integer, and otherwise those of the double', () => {
    const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    // Whole doubles over 2^53 are rare among random doubles, so they have their own generator.
    const whole = integers.map(Number)
    fc.assert(
      fc.property(fc.oneof(integers, whole, fc.double(), fc.integer()), (value) => {
        const decoded = valueOf(value, 'json')
        const written = typeof decoded === 'string' ? decoded : JSON.stringify(decoded)
        expect(written).toBe(isInt64(value) ? String(BigInt(value)) : String(Number(value) + 0))
      }),
    )
  })
})

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63)
}

// Requirements: JS8
test('keys that are special in JavaScript are decoded as own members', () => {
  const attributes = JSON.parse('{"__proto__":{"__proto__":1},"constructor":2,"toString":3}') as object
  const [record] = decodedOf([recordOf({ attributes })])
  expect(Object.keys(record!.attributes)).toEqual(['__proto__', 'constructor', 'toString'])
  expect(Object.getPrototypeOf(record!.attributes)).toBe(Object.prototype)
  const inner = Object.getOwnPropertyDescriptor(record!.attributes, '__proto__')!.value as object
  expect(Object.getOwnPropertyDescriptor(inner, '__proto__')!.value).toBe(1)
  expect({}).not.toHaveProperty('constructor', 2)
})

const leaf: fc.Arbitrary<AnyValue> = fc.oneof(
  nastyText,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.uint8Array({ maxLength: 20 }),
)
const { value: values } = fc.letrec<{ value: AnyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key.toWellFormed() })
      .map((entries) => new Map(entries)),
  ),
}))

// Requirements: JS2, JS3, JS5, JS6, JS8, JS9, JS11
test('encoded data is decoded to equal data', () => {
  fc.assert(
    fc.property(values, (value) => {
      const [record] = decodedOf([recordOf({ body: [value], attributes: { value } })])
      expect(record!.attributes.value).toEqual(expected(value))
      expect(record!.body).toEqual([expected(value)])
    }),
  )
})

/** Returns the decoded form of a value. */
function expected(value: AnyValue): DecodedValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number') return value + 0
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value && fits(value) ? Number(value) : `${value}`
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([key, item]) => [key.toWellFormed(), expected(item as AnyValue)]))
  }
  return Array.isArray(value) ? value.map(expected) : (value as DecodedValue)
}

const fits = (value: bigint): boolean => BigInt(Number(value)) === value

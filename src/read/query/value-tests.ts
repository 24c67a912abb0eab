import type { AnyValue } from '../../record/any-value.ts'
import { numberOf } from './query-syntax.ts'
import type { ComparisonOperator, QueryValue } from './query.ts'

/** Returns whether a value of a record matches. */
export type ValueTest = (value: AnyValue) => boolean

/** Returns a test that also matches an array if it matches one of its items. */
export function anyItem(test: ValueTest): ValueTest {
  return (value) => (Array.isArray(value) ? (value as readonly AnyValue[]).some(test) : test(value))
}

/** Returns a test for a text. Numbers and booleans are tested as texts; null, bytes, arrays and objects do not match. */
export function asText(test: (text: string) => boolean): ValueTest {
  return (value) => {
    if (typeof value === 'string') return test(value)
    return isScalar(value) && test(String(value))
  }
}

/** Returns the test of a comparison. `!=` is the test of `=`, which the caller negates. */
export function comparisonTest(operator: ComparisonOperator, value: QueryValue): ValueTest {
  if (operator === '=' || operator === '!=') return equalityTest(value)
  return typeof value === 'boolean' || value === null ? never : orderTest(operator, value)
}

/** Returns whether two numbers are equal. Readers of JSON can round a large integer to a number. */
function isSameNumber(a: number | bigint, b: number | bigint): boolean {
  return typeof a === typeof b ? a === b : Number(a) === Number(b)
}

function isScalar(value: AnyValue): value is number | bigint | boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
}

function equalityTest(expected: QueryValue): ValueTest {
  if (expected === null) return (value) => value === null
  if (typeof expected === 'string') return textEqualityTest(expected)
  const text = String(expected)
  if (typeof expected === 'boolean') return (value) => value === expected || value === text
  return (value) => {
    if (typeof value === 'number' || typeof value === 'bigint') return isSameNumber(value, expected)
    if (typeof value !== 'string') return false
    if (value === text) return true
    const number = numberOf(value)
    return number !== undefined && isSameNumber(number, expected)
  }
}

function textEqualityTest(expected: string): ValueTest {
  const number = numberOf(expected)
  return (value) => {
    if (typeof value === 'string') return value === expected
    if (typeof value === 'boolean') return String(value) === expected
    return (
      number !== undefined && (typeof value === 'number' || typeof value === 'bigint') && isSameNumber(value, number)
    )
  }
}

/** Returns a test that compares as numbers if both sides are numbers, and as texts otherwise. */
function orderTest(operator: OrderOperator, limit: string | number | bigint): ValueTest {
  const isInOrder = orders[operator]
  const limitNumber = typeof limit === 'string' ? numberOf(limit) : limit
  const limitText = typeof limit === 'string' ? limit : undefined
  return (value) => {
    if (typeof value === 'number' || typeof value === 'bigint')
      return limitNumber !== undefined && isInOrder(value, limitNumber)
    if (typeof value !== 'string') return false
    if (limitNumber !== undefined) {
      const number = numberOf(value)
      if (number !== undefined) return isInOrder(number, limitNumber)
    }
    return limitText !== undefined && isInOrder(value, limitText)
  }
}

/** An operator that compares by order. */
export type OrderOperator = Exclude<ComparisonOperator, '=' | '!='>

/** The orders of numbers, and of texts by their UTF-16 units. */
export const orders: Readonly<Record<OrderOperator, <T extends number | bigint | string>(a: T, b: T) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
}

const never: ValueTest = () => false

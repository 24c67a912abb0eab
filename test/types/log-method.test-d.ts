// Checked by the compiler only (npm run types): each line compiles, or is expected not to compile.
import { expectTypeOf } from 'expect-type'
import type { LogMethod, TemplateNames } from '../../src/logger/log-method.ts'

declare const info: LogMethod
declare const caught: unknown
declare const something: any // oxlint-disable-line typescript/no-explicit-any
declare const error: Error
declare const text: string
declare const userId: string

interface Order {
  orderId: string
  total?: number
}
class Cart {
  readonly items: readonly string[] = []
  get size(): number {
    return this.items.length
  }
}
type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: number }
declare const order: Order
declare const shape: Shape
declare const maybeOrder: Order | undefined
declare const numbers: readonly number[]

// A message
info('x')
info('')
info(text)
info(`user ${userId} in`)
info('route /users/{id} registered')
info('{"json": true, "list": [1, {"a": 2}]}')
info('100% done')

// A message and attributes
info('x', { a: 1 })
info('x', {})
info('x', order)
info('x', shape)
info('x', new Cart())
info('x', new Map([['a', 1]]))
info('x', maybeOrder)
info('x', undefined)
info('x', { a: 1 }, error)
info('x', { a: 1 }, caught)
info(text, { a: 1 })
info(text, order)
info('x', { toString: 5, __proto__: null })
info('x', { nested: { deep: [order, new Date(), 10n, Symbol('s'), () => 1] } })

// Templates
info('user {userId} in', { userId })
info('user {userId} in', { userId, more: true })
info('user {userId:json} in', { userId })
info('order {orderId} placed', order)
info('total {total}', { ...order, total: 1 })
info('{kind} drawn', shape)
info('{size} items', new Cart())
info('literally {{userId}} and {orderId}', { orderId: 1 })
info('literally {{userId}}', {})
info('{"a": 1} {userId}', { userId })
info('{user id}, {a/b}, {}, {:x}', {})
info('{user.id}', { 'user.id': 1 })
info('{a}{b}{a}', { a: 1, b: undefined })
info('{a}', something)
info(`${text}{a}`, { a: 1 })
info('failed {orderId}', order, error)
info('failed {orderId}', order, caught)
info('failed {orderId}', error)
info('failed {orderId}', caught)
// @ts-expect-error userId is missing
info('user {userId} in', {})
// @ts-expect-error userId is missing
info('user {userId} in', { userID: userId })
// @ts-expect-error b is missing
info('{a} {b:json}', { a: 1 })
// @ts-expect-error a is missing, whatever precedes it
info(`${text}{a}`, {})
// @ts-expect-error total may be missing
info('total {total}', order)
// @ts-expect-error only circles have a radius
info('{radius}', shape)
// @ts-expect-error orderId is missing, the brace before it is escaped
info('{{userId}} {orderId}', { userId })
// @ts-expect-error the attributes may be undefined
info('order {orderId}', maybeOrder as Order | { other: 1 })

// Caught values, Errors
info('failed', caught)
info('failed', error)
info('failed', new TypeError('no', { cause: caught }))
info('failed', something)
info(caught, 'failed')
info(caught)
info(error, 'failed')
info(error)
info(something, 'failed')
info(something)
info({ err: caught }, 'failed')
info('failed', { err: caught, error })
info('failed', { a: 1 }, error, caught)
try {
  info('work')
} catch (reason) {
  info('failed', reason)
  info(reason, 'failed')
}

// printf
info('%s took %d ms', 'job', 3)
info('%s', text)
info('%d', 1n)
info('%s', null)
info('%s', Symbol('s'))
info('%j', numbers)
info('%o', [1, { a: 1 }])
info('%s and %j', 'a', { b: 1 })
info('%s: %s', error, 'x')
info(text, text, text)

// Attributes first
info(order, 'x')
info(order)
info(shape, 'x')
info(new Cart(), 'x')
info({ a: 1 }, 'x')
info({ a: 1 }, text)
info({ a: 1 }, 'took %d ms', 3)
info(null)
info(undefined)
info(5)
info([1, 2])
info(numbers, 'x')
// @ts-expect-error a message is text
info({ a: 1 }, { b: 2 })
// @ts-expect-error a message is text
info(order, 5)

// Lazy
info(() => ['lazy', { a: 1 }])
info(() => 'lazy')
info(() => ({ a: 1 }), 'x')
info(async () => 'never awaited')

// Methods as callbacks
void Promise.reject(new Error('x')).catch(info)
;[order].forEach((one) => info(one))
const callback: (value: unknown) => void = info
callback(5)
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const generic = <T extends object>(value: T) => info('x', value)
generic(order)
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const genericUnknown = <T>(value: T) => info('x', { value })
genericUnknown(1)
expectTypeOf(info('x')).toEqualTypeOf<void>()
// @ts-expect-error no arguments
info()

// Declared attributes
declare const typed: LogMethod<{ orderId?: string; total?: number; route?: '/a' | '/b' }>
typed('x')
typed('x', {})
typed('x', { orderId: 'a' })
typed('x', { orderId: undefined })
typed('x', { total: 5, route: '/a' })
typed('x', order)
typed('{orderId} placed', { orderId: 'a' })
typed('{orderId} of {userId}', { orderId: 'a', userId })
typed('{orderId} placed', { orderId: 'a' }, error)
typed({ orderId: 'a' }, 'x')
typed('failed', caught)
typed(caught, 'failed')
typed(error, 'failed')
typed('failed', { orderId: 'a' }, error)
typed('%s took %d', 'a', 5)
typed(() => ['lazy', { orderId: 'a' }])
// @ts-expect-error unknown attribute
typed('x', { orderID: 'a' })
// @ts-expect-error wrong type
typed('x', { orderId: 5 })
// @ts-expect-error wrong literal
typed('x', { route: '/c' })
// @ts-expect-error wrong type, attributes first
typed({ orderId: 5 }, 'x')
// @ts-expect-error unknown attribute, attributes first
typed({ orderID: 'a' }, 'x')
// @ts-expect-error orderId is missing from the template's attributes
typed('{orderId} placed', { total: 1 })
// @ts-expect-error wrong type with a template
typed('{orderId} placed', { orderId: 5 })

declare const required: LogMethod<{ tenant: string }>
required('x')
required('x', { tenant: 'a' })
// @ts-expect-error tenant is missing
required('x', {})
// @ts-expect-error tenant is missing, attributes first
required({}, 'x')

// The names in a template
expectTypeOf<TemplateNames<'no names'>>().toEqualTypeOf<never>()
expectTypeOf<TemplateNames<'{a} {b:json} {a}'>>().toEqualTypeOf<'a' | 'b'>()
expectTypeOf<TemplateNames<'{{a}} {b}'>>().toEqualTypeOf<'b'>()
expectTypeOf<TemplateNames<'{a}}'>>().toEqualTypeOf<'a'>()
expectTypeOf<TemplateNames<'{a {b} c'>>().toEqualTypeOf<never>()
expectTypeOf<TemplateNames<'{a {{b} {c}'>>().toEqualTypeOf<'c'>()
expectTypeOf<TemplateNames<'{"a":1} {} {:x} {a b} {a,b} {a/b} {it\'s} {c}'>>().toEqualTypeOf<'c'>()
expectTypeOf<TemplateNames<'{user.id:json:x}'>>().toEqualTypeOf<'user.id'>()

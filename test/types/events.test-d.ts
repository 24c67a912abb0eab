// Checked by the compiler only: the attributes of an event.
import { expectTypeOf } from 'expect-type'
import { defineEvent, type DefinedEvent } from '../../src/logger/events.ts'
import type { Logger, RootLogger } from '../../src/logger/types.ts'

interface OrderPlaced {
  readonly orderId: string
  readonly total?: number
}

declare const types: { readonly attributes?: OrderPlaced }
declare const log: Logger
declare const custom: RootLogger<{ orderId?: string }, 'notice'>

const placed = defineEvent('order.placed', {
  types,
  message: 'order {orderId} placed',
})
expectTypeOf(placed).toEqualTypeOf<DefinedEvent<OrderPlaced>>()
placed(log, { orderId: 'o' })
placed(custom, { orderId: 'o', total: 1 }, new Error('late'))
// @ts-expect-error: orderId is missing
placed(log, { total: 1 })
// @ts-expect-error: total is a number
placed(log, { orderId: 'o', total: '1' })
// @ts-expect-error: unknown attribute
placed(log, { orderId: 'o', ordrId: 'o' })

// Loggers with required attributes
declare const tenants: RootLogger<{ tenant: string }>
placed(tenants, { orderId: 'o' })

const open = defineEvent('anything', { level: 'debug' })
open(log, { whatever: 1 })
open(log)
// @ts-expect-error: the event has required attributes
placed(log)

// @ts-expect-error: the message has a placeholder without an attribute
defineEvent('order.placed', { types, message: 'order {id} placed' })
// @ts-expect-error: unknown level
defineEvent('order.placed', { level: 'loud' })

// A logger that knows which attributes its records may have, with a level of its own.
import { createLogger, type Logger } from 'sluice'

interface OrderAttributes {
  readonly orderId: number
  readonly total?: bigint
}

const log = createLogger<OrderAttributes, 'notice'>({ levels: { notice: 10 }, level: 'notice' })

log.notice('order {orderId} placed', { orderId: 42, total: 1999n })
log.info('below the level: not logged', { orderId: 42 })
// @ts-expect-error: orderId is a number
log.notice('placed', { orderId: '42' })
// @ts-expect-error: the message asks for an attribute that is not there
log.notice('order {id} placed', { orderId: 42 })

// Code of the same kind takes it as it is, whatever levels it has.
function cancel(to: Logger<OrderAttributes>, orderId: number): void {
  to.warn('order {orderId} cancelled', { orderId })
}
cancel(log, 42)

// A logger with declared attributes and an additional level.
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
// @ts-expect-error: the attribute `id` of the message is missing
log.notice('order {id} placed', { orderId: 42 })

// A function that requires these attributes accepts a logger with more levels.
function cancel(to: Logger<OrderAttributes>, orderId: number): void {
  to.warn('order {orderId} cancelled', { orderId })
}
cancel(log, 42)

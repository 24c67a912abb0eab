import { createLogger } from 'sluice'

const log = createLogger({ name: 'checkout', resource: { 'service.name': 'shop' } })

// Names in braces are replaced by attributes, which also stay searchable.
log.info('order {orderId} placed by {customer}', { orderId: 42, customer: 'Ann', items: 3 })

// The same in the style of printf.
log.info('%s took %d ms', 'payment', 1240)

// Attributes without a message, and a message without attributes.
log.info({ cart: ['socks', 'shoes'], total: 59.9 })
log.info('done')

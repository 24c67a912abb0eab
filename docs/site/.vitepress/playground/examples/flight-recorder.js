import { createLogger } from 'sluice'

// Debug records are held, and written only for an order that fails.
const log = createLogger({ recorder: { by: 'orderId' } })

function placeOrder(orderId, quantity) {
  const order = log.child({ orderId })
  order.debug('checking the stock for {quantity} items', { quantity })
  if (quantity === 0) order.error('an order without items')
  else order.info('placed')
}

placeOrder(1, 3)
placeOrder(2, 0)

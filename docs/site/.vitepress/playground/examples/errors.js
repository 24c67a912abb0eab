import { createLogger } from 'sluice'

const log = createLogger()

function connect() {
  throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
}

function loadOrder(orderId) {
  try {
    connect()
  } catch (cause) {
    throw new Error(`order ${orderId} could not be loaded`, { cause })
  }
}

try {
  loadOrder(42)
} catch (error) {
  log.error('request failed', { path: '/orders/42' }, error)
}

// An error alone: its message is the message of the record.
log.warn(new AggregateError([new Error('first'), new TypeError('second')], 'two jobs failed'))

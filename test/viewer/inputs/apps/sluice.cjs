const { createLogger } = require('../../../../dist/cjs/index.js')

const log = createLogger({ name: 'sluice-app' })
log.info('sluice: {orders} orders', { orders: 3 })
log.warn('sluice: slow')

import { createLogger } from 'sluice'

const log = createLogger({
  handler: (next) => ({
    handle(record) {
      // Omit health checks, and mark slow requests.
      if (record.attributes?.path === '/health') return
      if (record.attributes?.millis > 1_000) {
        record.level = 'warn'
        record.attributes = { ...record.attributes, slow: true }
      }
      next.handle(record)
    },
  }),
})

log.info('GET {path}', { path: '/health', millis: 2 })
log.info('GET {path}', { path: '/cart', millis: 18 })
log.info('GET {path}', { path: '/search', millis: 2_340 })

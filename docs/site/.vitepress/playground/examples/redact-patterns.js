import { createLogger } from 'sluice'

const log = createLogger({
  redact: {
    keys: 'secrets',
    patterns: ['credentials', 'jwt', 'card', 'email', { name: 'order', pattern: /ORD-\d{6}/, censor: 'ORD-…' }],
  },
})

log.info('mail to {to} about ORD-123456', { to: 'ann@example.com' })
log.warn('GET https://shop:hunter2@api.example.com/v1?api_key=abc&page=2 answered 401')
log.error('payment failed', new Error('card 4111 1111 1111 1111 was refused'))
log.info('connected', { settings: { host: 'db', clientSecret: 's3cr3t' } })

import { createLogger } from 'sluice'

const log = createLogger({ name: 'shop', level: 'debug' })

log.trace('not logged: trace is below debug')
log.debug('cache warmed')
log.warn('disk is {percent} % full', { percent: 91 })

// A child adds its attributes to every record.
const request = log.child({ requestId: 'r-17' })
request.info('GET {path}', { path: '/cart' })

// A child can have a name and a level of its own.
const payments = request.child({ tenant: 'acme' }, { name: 'payments', level: 'warn' })
payments.info('not logged: this child logs warn and above')
payments.error('card declined')

console.log(payments.isLevelEnabled('info'))

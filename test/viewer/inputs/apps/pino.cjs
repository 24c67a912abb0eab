const log = require('pino')({ level: 'debug' })

log.info({ tenant: 'acme' }, 'pino: started')
log.debug('pino: details')
log.error(new TypeError('pino: no price'))

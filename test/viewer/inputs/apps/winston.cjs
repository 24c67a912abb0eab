const { createLogger, format, transports } = require('winston')

const log = createLogger({
  format: format.combine(format.timestamp(), format.json()),
  transports: [new transports.Console()],
})
log.info('winston: started')
log.warn('winston: slow')
const simple = createLogger({ format: format.simple(), transports: [new transports.Console()] })
simple.error('winston: simple failure')

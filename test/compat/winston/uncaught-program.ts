// Throws an exception or rejects a promise, with the handlers that the argument specifies.
import { createLogger, transports } from '../../../src/entries/winston.ts'

const { kind, exitOnError, file } = JSON.parse(process.argv[2]!) as Record<string, string> & { exitOnError: boolean }
const handler = new transports.File({ filename: file! })
const log = createLogger({
  exitOnError,
  transports: new transports.Console(),
  ...(kind === 'exception' ? { exceptionHandlers: handler } : { rejectionHandlers: [handler] }),
})
log.info('before')
setTimeout(() => process.exit(7), 5_000).unref()
if (!exitOnError) setTimeout(() => log.info('after'), 50)
if (kind === 'exception') throw new TypeError('mine')
void Promise.reject(new TypeError('mine'))

// Creates 100 loggers that handle an exception and a rejection, closes them, and prints the listener counts.
import { setImmediate as turn } from 'node:timers/promises'
import { createLogger, transports } from '../../../src/entries/winston.ts'

const listening = () => [process.listenerCount('uncaughtException'), process.listenerCount('unhandledRejection')]

const loggers = Array.from({ length: 100 }, (_, index) => {
  const handler = new transports.File({ filename: `${process.argv[2]!}${index}` })
  return createLogger({ exitOnError: false, exceptionHandlers: handler, rejectionHandlers: handler })
})
const open = listening()
setImmediate(() => {
  throw new Error('mine')
})
await turn()
void Promise.reject(new Error('mine too'))
await turn()
const [last, ...others] = loggers
for (const log of others) log.close()
const oneLeft = listening()
last!.close()
process.stdout.write(JSON.stringify({ open, oneLeft, closed: listening() }))

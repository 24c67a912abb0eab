// Runs pino and sluice/pino in parallel for a trial: each call goes to both, and each writes to its own file. The program
// receives pino's results, so the trial cannot change its behavior. Compare the files with compare-logs.ts.
import pino, { type Logger } from 'pino'
import { destination, pino as sluice } from 'sluice/pino'

/** The number of calls of each enabled level. */
const calls = new Map<string, number>()

/** Returns pino's logger with its calls repeated on another one: log calls, child loggers, bindings and level changes. */
function both(old: Logger, trial: object): Logger {
  return new Proxy(old, {
    get(_target, name) {
      const value: unknown = Reflect.get(old, name)
      if (typeof value !== 'function') return value
      const isLevel = typeof name === 'string' && Object.hasOwn(old.levels.values, name)
      return (...args: unknown[]): unknown => {
        if (isLevel && old.isLevelEnabled(name)) calls.set(name, (calls.get(name) ?? 0) + 1)
        const result: unknown = Reflect.apply(value, old, args)
        if (!isLevel && name !== 'child' && name !== 'setBindings') return result
        const other: unknown = Reflect.apply(Reflect.get(trial, name) as () => unknown, trial, args)
        return name === 'child' ? both(result as Logger, other as object) : result
      }
    },
    set: (_target, name, value) => Reflect.set(old, name, value) && Reflect.set(trial, name, value),
  })
}

// The options of your program, with a destination for each logger.
const options = { name: 'shop', redact: ['card.number'], mixin: () => ({ region: 'eu' }) }
const log = both(pino(options, pino.destination('pino.log')), sluice(options, destination('sluice.log')))

const requests = Array.from({ length: 500 }, (_, index) => log.child({ requestId: `r-${index}` }))
for (const [index, request] of requests.entries()) {
  request.info({ card: { type: 'visa', number: '4111' } }, 'order %s placed', index)
  request.debug('not enabled')
  if (index % 100 === 0) request.error(new Error('card declined'), 'not charged')
}
log.level = 'debug'
log.debug('enabled now')

process.on('exit', () => console.log(Object.fromEntries(calls)))

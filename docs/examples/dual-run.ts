// Runs pino and sluice/pino side by side for a while: each call is one of both, and each writes to a file of its own, which
// compare-logs.ts compares. What the program sees is pino's, so that nothing can go wrong because of the trial.
import pino, { type Logger } from 'pino'
import { destination, pino as sluice } from 'sluice/pino'

/** How often each level was logged that is enabled. */
const said = new Map<string, number>()

/** A logger of pino's that has another one do what it does: log, make children, take bindings and another level. */
function both(old: Logger, trial: object): Logger {
  return new Proxy(old, {
    get(_target, name) {
      const value: unknown = Reflect.get(old, name)
      if (typeof value !== 'function') return value
      const isLevel = typeof name === 'string' && Object.hasOwn(old.levels.values, name)
      return (...args: unknown[]): unknown => {
        if (isLevel && old.isLevelEnabled(name)) said.set(name, (said.get(name) ?? 0) + 1)
        const result: unknown = Reflect.apply(value, old, args)
        if (!isLevel && name !== 'child' && name !== 'setBindings') return result
        const other: unknown = Reflect.apply(Reflect.get(trial, name) as () => unknown, trial, args)
        return name === 'child' ? both(result as Logger, other as object) : result
      }
    },
    set: (_target, name, value) => Reflect.set(old, name, value) && Reflect.set(trial, name, value),
  })
}

// The options of the program that is to move, with its two destinations.
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

process.on('exit', () => console.log(Object.fromEntries(said)))

// Creates child loggers for two tenants, raises the level of one tenant afterwards, as another module that has no reference to the child
// loggers can, and logs a debug record for each tenant.

type Debug = (message: string) => unknown

function logTenants(acme: Debug, other: Debug): void {
  acme('debug of acme')
  other('debug of other')
}

/** The case of each logger. */
export const laterLevels: Record<string, () => Promise<void>> = {
  async sluice() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { levelControl } = await import('../../../src/entries/level-control.ts')
    const log = createLogger()
    const [acme, other] = [log.child({ tenant: 'acme' }), log.child({ tenant: 'other' })]
    levelControl().set('[tenant=acme]=debug')
    logTenants(acme.debug, other.debug)
  },
  async pino() {
    const { pino } = await import('pino')
    const log = pino()
    const [acme, other] = [log.child({ tenant: 'acme' }), log.child({ tenant: 'other' })]
    log.level = 'debug'
    logTenants(
      (message) => acme.debug(message),
      (message) => other.debug(message),
    )
  },
  async winston() {
    const winston = await import('winston')
    const transports = [new winston.transports.Console()]
    const log = winston.createLogger({ format: winston.format.json(), transports })
    const [acme, other] = [log.child({ tenant: 'acme' }), log.child({ tenant: 'other' })]
    log.level = 'debug'
    logTenants(
      (message) => acme.debug(message),
      (message) => other.debug(message),
    )
  },
  async LogTape() {
    const { configure, getConsoleSink, getLogger, jsonLinesFormatter } = await import('@logtape/logtape')
    const sinks = { console: getConsoleSink({ formatter: jsonLinesFormatter }) }
    const meta = { category: ['logtape', 'meta'], lowestLevel: 'error' as const }
    await configure({ reset: true, sinks, loggers: [{ category: [], sinks: ['console'], lowestLevel: 'info' }, meta] })
    const [acme, other] = [getLogger('app').with({ tenant: 'acme' }), getLogger('app').with({ tenant: 'other' })]
    await configure({
      reset: true,
      sinks,
      filters: { tenant: ({ level, properties }) => level !== 'debug' || properties['tenant'] === 'acme' },
      loggers: [{ category: [], sinks: ['console'], filters: ['tenant'], lowestLevel: 'debug' }, meta],
    })
    logTenants(
      (message) => acme.debug(message),
      (message) => other.debug(message),
    )
  },
  async tslog() {
    const { Logger } = await import('tslog')
    const log = new Logger({ type: 'json', minLevel: 3 })
    const [acme, other] = [log.getSubLogger({ name: 'acme' }), log.getSubLogger({ name: 'other' })]
    log.settings.minLevel = 2
    logTenants(
      (message) => acme.debug(message),
      (message) => other.debug(message),
    )
  },
}

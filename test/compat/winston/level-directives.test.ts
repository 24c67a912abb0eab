import { afterEach, expect, test } from '@jest/globals'
import { createLogger, Transport, type TransformableInfo } from '../../../src/entries/winston.ts'
import { levelControl, type LevelChange } from '../../../src/level-control/level-control.ts'

const changes: LevelChange[] = []
const set = (directives: string): LevelChange => {
  const change = levelControl().set(directives)
  changes.push(change)
  return change
}
afterEach(() => {
  for (const change of changes.splice(0)) change.revert()
})

/** Keeps the messages that it receives. */
class KeepingTransport extends Transport {
  readonly messages: unknown[] = []

  override log(info: TransformableInfo, next: () => void): void {
    if (info.event === undefined) this.messages.push(info.message)
    next()
  }
}

function createWinston(options: object = {}, transportOptions: object = {}) {
  const transport = new KeepingTransport(transportOptions)
  const log = createLogger({ level: 'info', ...options, transports: [transport] })
  return { log, written: () => transport.messages.splice(0) }
}

test('directives enable levels that the level of a logger with the winston API disables, and its level stays as it is', () => {
  const { log, written } = createWinston()
  const change = set('debug')
  log.debug('debug')
  log.log('verbose', 'verbose')
  log.log({ level: 'debug', message: 'object' })
  log.silly('no')
  expect(written()).toEqual(['debug', 'verbose', 'object'])
  expect(log.level).toBe('info')
  expect([log.isLevelEnabled('debug'), log.isLevelEnabled('silly')]).toEqual([true, false])
  change.revert()
  log.debug('no')
  expect(written()).toEqual([])
  expect(log.isLevelEnabled('debug')).toBe(false)
})

test('the more verbose of the level of a logger with the winston API and of the directives applies', () => {
  const { log, written } = createWinston({ level: 'debug' })
  set('error')
  log.debug('debug')
  log.silly('no')
  expect(written()).toEqual(['debug'])
})

test('directives do not change the level of a transport with the winston API, and none enables a silent one', () => {
  const own = createWinston({}, { level: 'info' })
  const silent = createWinston({}, { silent: true })
  set('debug')
  for (const { log } of [own, silent]) log.debug('no')
  expect([own.written(), silent.written()]).toEqual([[], []])
  expect(own.log.isLevelEnabled('debug')).toBe(false)
})

test.each<[string, (log: ReturnType<typeof createWinston>['log'], levels: Record<string, number>) => void]>([
  ['configure() sets', (log, levels) => log.configure({ levels })],
  ['are assigned', (log, levels) => (log.levels = levels)],
])('directives apply with the levels that %s', (_, change) => {
  const { log } = createWinston()
  const levels = { error: 0, info: 2, chatty: 5 }
  createWinston({ levels })
  set('*=chatty')
  expect([log.isLevelEnabled('chatty'), log.isLevelEnabled('debug')]).toEqual([false, false])
  change(log, levels)
  expect(log.isLevelEnabled('chatty')).toBe(true)
})

test('predicates are tested with the redacted members that a logger with the winston API adds to each record', () => {
  const { log, written } = createWinston({ defaultMeta: { region: 'eu', token: 'secret' }, redact: ['token'] })
  set('[region=eu,tenant=acme]=debug,[token=secret]=debug')
  log.debug('no')
  log.child({ tenant: 'acme' }).debug('child')
  log.child({ tenant: 'x' }).debug('no')
  expect(written()).toEqual(['child'])
})

test('the members of a logger are read only for levels that a directive with a predicate includes', () => {
  let reads = 0
  const defaultMeta = {
    get tenant() {
      reads++
      return 'other'
    },
  }
  const { log } = createWinston({ defaultMeta })
  set('[tenant=acme]=debug')
  reads = 0
  log.silly('no')
  expect(reads).toBe(0)
  log.debug('no')
  expect(reads).toBeGreaterThan(0)
})

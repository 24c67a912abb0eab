import { afterEach, expect, jest, test } from '@jest/globals'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { pino } from '../../../src/entries/pino.ts'
import { levelControl, type LevelChange } from '../../../src/level-control/level-control.ts'
import { withContext } from '../../../src/platform/node/with-context.ts'

const changes: LevelChange[] = []
const set = (directives: string): LevelChange => {
  const change = levelControl().set(directives)
  changes.push(change)
  return change
}
afterEach(() => {
  for (const change of changes.splice(0)) change.revert()
})

/** Creates a logger, and a function that returns the messages written since the last call. */
function createPino(options: object = {}) {
  const lines: string[] = []
  const log = pino({ name: 'app', level: 'info', ...options }, { write: (line: string) => void lines.push(line) })
  const written = () =>
    lines
      .splice(0)
      .map((line) => JSON.parse(line) as { msg: string; event?: string })
      .filter(({ event }) => event === undefined)
      .map(({ msg }) => msg)
  return { log, written }
}

test('directives enable levels that the level of a logger with the pino API disables, and its level stays as it is', () => {
  const { log, written } = createPino()
  const { debug } = log
  const child = log.child({ a: 1 })
  const change = set('app=debug')
  log.debug('%s', 'logger')
  child.debug({ b: 2 }, 'child')
  debug('detached')
  log.trace('no')
  expect(written()).toEqual(['logger', 'child', 'detached'])
  expect(log.level).toBe('info')
  expect([log.isLevelEnabled('debug'), log.isLevelEnabled('trace')]).toEqual([true, false])
  change.revert()
  log.debug('no')
  child.debug('no')
  debug('no')
  expect(written()).toEqual([])
  expect(log.isLevelEnabled('debug')).toBe(false)
})

test('the more verbose of the level of a logger with the pino API and of the directives applies', () => {
  const { log, written } = createPino({ level: 'debug' })
  set('app=error')
  log.debug('debug')
  log.trace('no')
  expect(written()).toEqual(['debug'])
  set('app=trace')
  log.level = 'silent'
  log.trace('trace')
  expect(written()).toEqual(['trace'])
})

test('predicates are tested with the bindings of a logger with the pino API, and with withContext', () => {
  const { log, written } = createPino({ redact: ['token'] })
  set('[tenant=acme]=debug,[token=secret]=debug,[n=1]=debug')
  log.debug('no')
  log.child({ tenant: 'acme' }).debug('bound')
  log.child({ tenant: 'x' }).debug('no')
  log.child({ n: 1 }).debug('number')
  log.child({ token: 'secret' }).debug('no')
  withContext({ tenant: 'acme' }, () => log.debug('context'))
  expect(written()).toEqual(['bound', 'number', 'context'])
})

test('directives do not apply again to the records that a logger with the pino API exports', () => {
  const exporter = memoryExporter()
  const { log } = createPino({ exporter })
  set('error')
  log.info('info')
  log.debug('no')
  set('debug')
  log.debug('debug')
  const messages = exporter.records.map(({ message }) => message)
  expect(messages.filter((message) => message === 'info' || message === 'debug')).toEqual(['info', 'debug'])
  expect(
    levelControl()
      .describe()
      .loggers.filter(({ name }) => name === 'app'),
  ).toMatchObject([{ name: 'app', level: 'debug', configuredLevel: 'info' }])
})

test('custom levels and hooks of the pino API apply to records that directives enable', () => {
  const calls: unknown[][] = []
  const { log, written } = createPino({
    customLevels: { notice: 25 },
    hooks: {
      logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void) {
        calls.push(args)
        method.apply(this, args)
      },
    },
  })
  set('trace')
  ;(log as unknown as { notice(message: string): void }).notice('notice')
  expect(written()).toEqual(['notice'])
  expect(calls).toEqual([['notice']])
})

test('bindings are parsed once, and only for levels that a directive with a predicate includes', () => {
  const { log, written } = createPino()
  const child = log.child({ tenant: 'other' })
  set('[tenant=acme]=debug')
  const parse = jest.spyOn(JSON, 'parse')
  try {
    child.trace('no')
    child.trace('no')
    expect(parse).toHaveBeenCalledTimes(0)
    child.debug('no')
    child.debug('no')
    expect(parse).toHaveBeenCalledTimes(1)
  } finally {
    parse.mockRestore()
  }
  child.setBindings({ tenant: 'acme' })
  child.debug('debug')
  expect(written()).toEqual(['debug'])
})

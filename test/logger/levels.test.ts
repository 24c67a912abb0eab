import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import type { Logger } from '../../src/logger/types.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { lineKeeper, type LineKeeper, workbench } from '../support/files/line-keeper.ts'

const names = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** The levels that come through. */
function passing(log: Logger, keeper: LineKeeper): string[] {
  keeper.clear()
  for (const name of names) log[name]('m')
  log.silent('m')
  return keeper.lines().map((line) => (JSON.parse(line) as { level: string }).level)
}

describe('a level lets through what is as severe, or more (SEV2)', () => {
  test.each(names)('%s', (name) => {
    const { log, keeper } = workbench({ level: name })
    const expected = names.slice(names.indexOf(name))
    expect(passing(log, keeper)).toEqual(expected)
    expect(names.filter((level) => log.isLevelEnabled(level))).toEqual(expected)
    expect(log.isLevelEnabled('silent')).toBe(false)
    expect(log.stats().emitted).toBe(expected.length)
  })

  test('silent lets nothing through', () => {
    const { log, keeper } = workbench({ level: 'silent' })
    expect(passing(log, keeper)).toEqual([])
    expect(log.isLevelEnabled('fatal')).toBe(false)
  })

  test('what is not logged costs nobody anything: no getter, lazy function or enrich runs', () => {
    let ran = 0
    const { log } = workbench({ level: 'warn', enrich: () => (ran++, {}), clock: () => (ran++, 0) })
    log.info(() => ran++)
    log.debug('{a}', {
      get a() {
        return ran++
      },
    })
    expect(ran).toBe(0)
  })
})

describe('a level can be changed at any time', () => {
  test('and children without a level of their own follow', () => {
    const { log, keeper } = workbench({ level: 'info' })
    const child = log.child({})
    const grandchild = child.child({}, { redact: ['x'] })
    const own = log.child({}, { level: 'error' })
    log.level = 'warn'
    expect([log.level, child.level, grandchild.level, own.level]).toEqual(['warn', 'warn', 'warn', 'error'])
    expect(passing(grandchild, keeper)).toEqual(['warn', 'error', 'fatal'])
    child.level = 'trace'
    expect([log.level, child.level, grandchild.level]).toEqual(['warn', 'trace', 'trace'])
    log.level = 'fatal'
    expect([child.level, grandchild.level, own.level]).toEqual(['trace', 'trace', 'error'])
    expect(passing(own, keeper)).toEqual(['error', 'fatal'])
  })

  test('detached methods follow as well', () => {
    const { log, written } = workbench({ level: 'info' })
    const { debug } = log
    expect(written(() => debug('m'))).toHaveLength(0)
    log.level = 'debug'
    expect(written(() => debug('m'))).toHaveLength(1)
  })

  test('to a level that there is', () => {
    const { log } = workbench({ levels: { notice: 10 } })
    for (const name of ['loud', '', 'INFO', 'toString', '__proto__']) {
      expect(() => (log.level = name as 'info')).toThrow(ConfigurationError)
      expect(() => log.child({}, { level: name })).toThrow(ConfigurationError)
    }
    expect(log.level).toBe('trace')
    log.level = 'notice'
    expect(log.isLevelEnabled('notice')).toBe(true)
    expect(log.isLevelEnabled('info')).toBe(false)
    expect(log.isLevelEnabled('loud' as 'info')).toBe(false)
  })
})

describe('levels of its own', () => {
  test('are methods of a logger and its children, ordered by their numbers (SEV2)', () => {
    const { log, line, written } = workbench({ levels: { notice: 10, alert: 22 }, level: 'info' })
    expect(line(() => log.notice('m', { a: 1 }))).toMatchObject({
      level: 'notice',
      severity_number: 10,
      attributes: { a: 1 },
    })
    expect(line(() => log.child({}).alert('m'))).toMatchObject({ level: 'alert', severity_number: 22 })
    expect(line(() => log.info('m'))).not.toHaveProperty('severity_number')
    log.level = 'warn'
    expect(written(() => log.notice('m'))).toEqual([])
    log.level = 'alert'
    expect(written(() => (log.fatal('m'), log.alert('m'))).map(({ level }) => level)).toEqual(['alert'])
  })

  test.each(['child', 'level', 'then', 'a b', '', 'toString', 'silent', 'shutdown', '__proto__'])(
    'cannot be called %j',
    (name) => {
      const levels = Object.fromEntries([[name, 10 as const]])
      expect(() => createLogger({ levels, exporter: memoryExporter() })).toThrow(ConfigurationError)
    },
  )
})

test('each exporter has a level of its own, and counts what it leaves out', () => {
  const all = lineKeeper()
  const errors = memoryExporter({ level: 'error' })
  const log = createLogger({ level: 'debug', exporter: [all, errors], handleExit: false })
  for (const name of names) log[name]('m')
  log.child({}, { redact: ['x'] }).error('from a child')
  expect(all.lines()).toHaveLength(6)
  expect(errors.records.map(({ level }) => level)).toEqual(['error', 'fatal', 'error'])
  const [first, second] = log.stats().exporters
  expect(first).toMatchObject({ emitted: 6, accepted: 6, filtered: 0, written: 6 })
  expect(second).toMatchObject({ emitted: 6, accepted: 3, filtered: 3, written: 3 })
  expect(log.stats().emitted).toBe(6)
})

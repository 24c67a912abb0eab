import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import type { Logger } from '../../src/logger/types.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { capturingExporter, type CapturingExporter, createTestLogger } from '../support/files/test-logger.ts'

const names = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** Logs at every level and returns the levels that were written. */
function passing(log: Logger, keeper: CapturingExporter): string[] {
  keeper.clear()
  for (const name of names) log[name]('m')
  log.silent('m')
  return keeper.lines().map((line) => (JSON.parse(line) as { level: string }).level)
}

// Requirements: SEV2
describe('filtering by level', () => {
  test.each(names)('the level %s enables its own and all more severe levels', (name) => {
    const { log, exporter } = createTestLogger({ level: name })
    const expected = names.slice(names.indexOf(name))
    expect(passing(log, exporter)).toEqual(expected)
    expect(names.filter((level) => log.isLevelEnabled(level))).toEqual(expected)
    expect(log.isLevelEnabled('silent')).toBe(false)
    expect(log.stats().emitted).toBe(expected.length)
  })

  test('the level silent disables all levels', () => {
    const { log, exporter } = createTestLogger({ level: 'silent' })
    expect(passing(log, exporter)).toEqual([])
    expect(log.isLevelEnabled('fatal')).toBe(false)
  })

  test('a disabled call runs no getter, lazy function, enrich function or clock', () => {
    let ran = 0
    const { log } = createTestLogger({ level: 'warn', enrich: () => (ran++, {}), clock: () => (ran++, 0) })
    log.info(() => ran++)
    log.debug('{a}', {
      get a() {
        return ran++
      },
    })
    expect(ran).toBe(0)
  })
})

describe('changes of the level at run time', () => {
  test('a change of the level applies to children that have no level of their own', () => {
    const { log, exporter } = createTestLogger({ level: 'info' })
    const child = log.child({})
    const grandchild = child.child({}, { redact: ['x'] })
    const own = log.child({}, { level: 'error' })
    log.level = 'warn'
    expect([log.level, child.level, grandchild.level, own.level]).toEqual(['warn', 'warn', 'warn', 'error'])
    expect(passing(grandchild, exporter)).toEqual(['warn', 'error', 'fatal'])
    child.level = 'trace'
    expect([log.level, child.level, grandchild.level]).toEqual(['warn', 'trace', 'trace'])
    log.level = 'fatal'
    expect([child.level, grandchild.level, own.level]).toEqual(['trace', 'trace', 'error'])
    expect(passing(own, exporter)).toEqual(['error', 'fatal'])
  })

  test('a change of the level applies to detached methods', () => {
    const { log, captureLines } = createTestLogger({ level: 'info' })
    const { debug } = log
    expect(captureLines(() => debug('m'))).toHaveLength(0)
    log.level = 'debug'
    expect(captureLines(() => debug('m'))).toHaveLength(1)
  })

  test('a change to an unknown level throws a ConfigurationError', () => {
    const { log } = createTestLogger({ levels: { notice: 10 } })
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

describe('custom levels', () => {
  // Requirements: SEV2
  test('custom levels are methods of a logger and its children, ordered by severity number', () => {
    const { log, captureLine, captureLines } = createTestLogger({ levels: { notice: 10, alert: 22 }, level: 'info' })
    expect(captureLine(() => log.notice('m', { a: 1 }))).toMatchObject({
      level: 'notice',
      severity_number: 10,
      attributes: { a: 1 },
    })
    expect(captureLine(() => log.child({}).alert('m'))).toMatchObject({ level: 'alert', severity_number: 22 })
    expect(captureLine(() => log.info('m'))).not.toHaveProperty('severity_number')
    log.level = 'warn'
    expect(captureLines(() => log.notice('m'))).toEqual([])
    log.level = 'alert'
    expect(captureLines(() => (log.fatal('m'), log.alert('m'))).map(({ level }) => level)).toEqual(['alert'])
  })

  test.each(['child', 'level', 'then', 'a b', '', 'toString', 'silent', 'shutdown', '__proto__'])(
    'a custom level cannot be named %j',
    (name) => {
      const levels = Object.fromEntries([[name, 10 as const]])
      expect(() => createLogger({ levels, exporter: memoryExporter() })).toThrow(ConfigurationError)
    },
  )
})

test('each exporter has its own level and counts the records that it filters out', () => {
  const all = capturingExporter()
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

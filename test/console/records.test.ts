import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { inspect } from 'node:util'
import type { CaptureConsoleOptions } from '../../src/console/options.ts'
import { consoleExporter } from '../../src/exporters/console/console-exporter.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import type { Logger, LoggerOptions } from '../../src/logger/types.ts'
import { canary, open, ruleOf, scenarios, written } from '../encode/redaction-scenarios.ts'
import { createTestConsole, type TestConsole } from '../support/processes/test-console.ts'
import { hostile } from '../support/values/hostile.ts'
import { capturingExporter } from '../support/files/test-logger.ts'

type Line = Record<string, any>

/** Returns the records that a captured console logs. */
function logged(
  print: (target: Console, kept: TestConsole) => void,
  options: Omit<CaptureConsoleOptions, 'logger'> = {},
  logger: LoggerOptions<object, string> = {},
): Line[] {
  const keeper = capturingExporter()
  const log = createLogger({ level: 'trace', clock: () => 0, ...logger, exporter: keeper, handleExit: false })
  const kept = createTestConsole()
  const capture = kept.capture({ mode: 'records', ...options, logger: log })
  print(kept.console, kept)
  void capture.release()
  return keeper.lines().map((line) => JSON.parse(line) as Line)
}

const levelsAndMessages = (lines: readonly Line[]): unknown[] => lines.map(({ level, message }) => [level, message])

test('each printing method logs a record with its level and the text that Node would print', () => {
  const lines = logged((target) => {
    target.log('%s is %d', 'a', 1, { b: [2] })
    target.info('info')
    target.debug('debug')
    target.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 })
    target.dirxml('dirxml', 1)
    target.table([[1]])
    target.count()
    target.warn('warn')
    target.error('error')
    target.assert(true, 'never')
    target.assert(false, 'assert %s', 'this')
    target.log()
  })
  expect(levelsAndMessages(lines)).toEqual([
    ['info', 'a is 1 { b: [ 2 ] }'],
    ['info', 'info'],
    ['debug', 'debug'],
    ['info', '{ a: [Object] }'],
    ['info', 'dirxml 1'],
    ['info', '┌─────────┬───┐\n│ (index) │ 0 │\n├─────────┼───┤\n│ 0       │ 1 │\n└─────────┴───┘'],
    ['info', 'default: 1'],
    ['warn', 'warn'],
    ['error', 'error'],
    ['error', 'Assertion failed: assert this'],
    ['info', ''],
  ])
})

test('groups indent messages, and counters and timers work as in Node', () => {
  const lines = logged((target) => {
    target.group('outer')
    target.count('c')
    target.groupCollapsed('inner')
    target.count('c')
    target.warn('two\nlines')
    target.groupEnd()
    target.countReset('c')
    target.count('c')
    target.groupEnd()
    target.time('t')
    target.timeLog('t', 'more')
    target.timeEnd('t')
  })
  expect(levelsAndMessages(lines)).toEqual([
    ['info', 'outer'],
    ['info', '  c: 1'],
    ['info', '  inner'],
    ['info', '    c: 2'],
    ['warn', '    two\n    lines'],
    ['info', '  c: 1'],
    ['info', expect.stringMatching(/^t: [\d.]+m?s more$/)],
    ['info', expect.stringMatching(/^t: [\d.]+m?s$/)],
  ])
})

test('the `levels` option sets the level of each method, including methods that call others internally', () => {
  const levels = { log: 'notice', table: 'debug', assert: 'fatal', count: 'silent', trace: 'warn' } as const
  const lines = logged(
    (target) => {
      target.log('log')
      target.table([1])
      target.count()
      target.assert(false)
      target.trace()
    },
    { levels },
    { levels: { notice: 10 } },
  )
  expect(lines.map(({ level }) => level as unknown)).toEqual(['notice', 'debug', 'fatal', 'warn'])
})

test('calls below the level are not formatted, but still update counters and groups', () => {
  let inspected = 0
  const value = { [inspect.custom]: () => `inspected ${++inspected}` }
  const lines = logged(
    (target) => {
      target.log(value)
      target.count()
      target.group('group')
      target.warn(value)
    },
    {},
    { level: 'warn' },
  )
  expect(levelsAndMessages(lines)).toEqual([['warn', '  inspected 1']])
})

function calling(target: Console): void {
  target.trace('here %d', 1, { a: 1 })
}

test('console.trace logs only stack frames of the application', () => {
  for (const objects of ['text', 'attributes'] as const) {
    const [line] = logged(calling, { objects })
    const message = objects === 'text' ? 'Trace: here 1 { a: 1 }' : 'Trace: here 1'
    expect(line!['message'].split('\n').slice(0, 2)).toEqual([message, expect.stringMatching(/^ {4}at calling \(/)])
    expect(line!['attributes']).toEqual(objects === 'text' ? undefined : { a: 1 })
    expect(line!['level']).toBe('trace')
  }
})

test('output printed by a custom inspection is a separate record', () => {
  const lines = logged((target) => {
    const chatty = {
      [inspect.custom]() {
        target.warn('inner')
        return 'outer'
      },
    }
    target.log(chatty)
  })
  expect(levelsAndMessages(lines)).toEqual([
    ['warn', 'inner'],
    ['info', 'outer'],
  ])
})

test('a method saved before the capture bypasses it, so a logger that writes to the console does not recurse', () => {
  const kept = createTestConsole()
  const real = globalThis.console
  globalThis.console = kept.console
  const log = createLogger({ exporter: consoleExporter(), handleExit: false })
  globalThis.console = real
  const { error } = kept.console
  const capture = kept.capture({ logger: log })
  kept.console.log('once')
  error('past')
  void capture.release()
  expect(kept.stdout.lines.map((line) => JSON.parse(line).message as unknown)).toEqual(['once'])
  expect(kept.stderr.text).toBe('past\n')
})

function printing(log: Logger): Console['log'] {
  const kept = createTestConsole()
  kept.capture({ logger: log, objects: 'attributes' })
  return kept.console.log
}

describe("with objects: 'attributes'", () => {
  const attributes = { objects: 'attributes' } as const

  test('the first object becomes the attributes and the first Error the exception, at any position', () => {
    const [first, second, third, fourth, fifth] = logged((target) => {
      target.log('order', 17, { sku: 'a' }, 'placed', new RangeError('late'), { sku: 'b' }, [1])
      target.error(new TypeError('alone'))
      target.dir({ a: { b: 1 } }, { depth: 0 })
      target.table([{ a: 1 }, 2])
      target.trace([3])
    }, attributes)
    expect(first).toMatchObject({
      message: 'order 17 placed',
      attributes: { sku: 'a', 'exception.type': 'RangeError', 'exception.message': 'late', args: [{ sku: 'b' }, [1]] },
    })
    expect(second).toMatchObject({ message: 'alone', level: 'error', attributes: { 'exception.type': 'TypeError' } })
    expect(third).toMatchObject({ attributes: { a: { b: 1 } } })
    expect(fourth).toMatchObject({ message: '[{"a":1},2]' })
    expect(fifth).toMatchObject({ message: expect.stringMatching(/^Trace\n {4}at /), attributes: { args: [[3]] } })
  })

  test('names in braces are kept, and placeholders consume their values before attributes are taken', () => {
    const lines = logged((target) => {
      target.log('user {id} 100%', { id: 1 })
      target.log('%s %j', 'x', { a: 1 }, '50%', { id: 2 })
    }, attributes)
    expect(lines.map(({ message }) => message as unknown)).toEqual(['user {id} 100%', 'x {"a":1} 50%'])
    expect(lines[1]!['attributes']).toEqual({ id: 2 })
  })

  test('groups indent the message, and a group label can have attributes', () => {
    const lines = logged((target) => {
      target.group('label', { a: 1 })
      target.log('in\nside', { b: 2 })
      target.groupEnd()
      target.log('out', { c: 3 })
    }, attributes)
    expect(lines.map(({ message, attributes: own }) => [message, own] as unknown)).toEqual([
      ['label', { a: 1 }],
      ['  in\n  side', { b: 2 }],
      ['out', { c: 3 }],
    ])
  })

  test('path and key rules redact arguments of every method at any position', () => {
    const secret = 'CANARY'
    const row = { password: secret, user: { token: secret } }
    const rows = [row]
    const disguised = { ...row, [Symbol.toStringTag]: 'Date' }
    const lines = logged(
      (target) => {
        for (const method of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'group', 'dirxml'] as const) {
          const print = target[method] as (...args: unknown[]) => void
          print(row, rows, 'text')
          print('%s %o %j %O', row, row, rows, row, row)
          print(new Map(Object.entries(row)), new Set(rows), Object.assign(new Error('x'), row))
          print(
            disguised,
            Object.assign(new Date(0), row),
            Object.assign(() => {}, row),
          )
        }
        const assert = target.assert as (...args: unknown[]) => void
        target.dir(row)
        target.table(rows)
        assert(false, row)
        assert(false, 'text', rows)
        target.time('t')
        target.timeLog('t', row, rows)
      },
      attributes,
      { redact: { keys: ['password'], paths: ['**.user.token', 'user.token'] } },
    )
    expect(lines.length).toBe(8 * 4 + 5)
    expect(JSON.stringify(lines)).not.toContain(secret)
    expect(JSON.stringify(lines).match(/REDACTED/g)!.length).toBeGreaterThan(lines.length)
  })

  // Fault rows: 34
  test('the redaction scenarios of the logger pass for the captured console', () => {
    // The console does not call functions, so scenarios with lazy values do not apply.
    const consoleScenarios = scenarios.filter(({ where }) => where !== 'lazy')
    fc.assert(
      fc.property(consoleScenarios, (scenario) => {
        const redacted = written(scenario, ruleOf(scenario), capturingExporter(), printing)
        expect(redacted).not.toContain(canary)
        expect(redacted).toContain(open)
        expect(written(scenario, undefined, capturingExporter(), printing)).toContain(canary)
      }),
      { numRuns: 500 },
    )
  })

  test.each(hostile)('console methods log %s without throwing', (_, make) => {
    const lines = logged((target) => {
      target.log('%s and', make(), make())
      target.log(make(), 'text', { a: 1 })
      target.error(make())
      target.dir(make())
      target.table(make())
    }, attributes)
    expect(lines).toHaveLength(5)
  })
})

test('patterns redact text in both modes, and rules of the capture extend those of the logger', async () => {
  const redact = { patterns: ['email' as const] }
  const lines = logged((target) => target.log('to a@example.com', { b: 'c@example.com', password: 'x' }), {
    objects: 'attributes',
    redact: { ...redact, keys: ['password'] },
  })
  expect(lines[0]).toMatchObject({ message: 'to [REDACTED]', attributes: { b: '[REDACTED]', password: '[REDACTED]' } })

  const kept = createTestConsole()
  const capture = kept.capture({ stream: kept.stdout, redact })
  kept.console.error('to %s', 'a@example.com', { b: 'c@example.com' })
  await capture.release()
  expect(kept.stdout.text).toBe("to [REDACTED] { b: '[REDACTED]' }\n")
})

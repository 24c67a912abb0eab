import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { inspect } from 'node:util'
import type { CaptureConsoleOptions } from '../../src/console/options.ts'
import { consoleExporter } from '../../src/exporters/console/console-exporter.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import type { Logger, LoggerOptions } from '../../src/logger/types.ts'
import { canary, open, ruleOf, scenarios, written } from '../encode/redaction-scenarios.ts'
import { keptConsole, type KeptConsole } from '../support/processes/consoles.ts'
import { hostile } from '../support/values/hostile.ts'
import { lineKeeper } from '../support/files/line-keeper.ts'

type Line = Record<string, any>

/** What is logged while a console is captured. */
function logged(
  print: (target: Console, kept: KeptConsole) => void,
  options: Omit<CaptureConsoleOptions, 'logger'> = {},
  logger: LoggerOptions<object, string> = {},
): Line[] {
  const keeper = lineKeeper()
  const log = createLogger({ level: 'trace', clock: () => 0, ...logger, exporter: keeper, handleExit: false })
  const kept = keptConsole()
  const capture = kept.capture({ mode: 'records', ...options, logger: log })
  print(kept.console, kept)
  void capture.release()
  return keeper.lines().map((line) => JSON.parse(line) as Line)
}

const said = (lines: readonly Line[]): unknown[] => lines.map(({ level, message }) => [level, message])

test('each method that prints is a record of its level, with the text that Node makes', () => {
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
  expect(said(lines)).toEqual([
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

test('groups indent, counters count and timers run on', () => {
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
  expect(said(lines)).toEqual([
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

test('levels are those that are asked for, also of methods that print through others', () => {
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

test('what is off is not even formatted, and still counts and groups', () => {
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
  expect(said(lines)).toEqual([['warn', '  inspected 1']])
})

function calling(target: Console): void {
  target.trace('here %d', 1, { a: 1 })
}

test('a trace shows the frames of the program alone', () => {
  for (const objects of ['text', 'attributes'] as const) {
    const [line] = logged(calling, { objects })
    const message = objects === 'text' ? 'Trace: here 1 { a: 1 }' : 'Trace: here 1'
    expect(line!['message'].split('\n').slice(0, 2)).toEqual([message, expect.stringMatching(/^ {4}at calling \(/)])
    expect(line!['attributes']).toEqual(objects === 'text' ? undefined : { a: 1 })
    expect(line!['level']).toBe('trace')
  }
})

test('what a value prints while it is inspected is a record of its own', () => {
  const lines = logged((target) => {
    const chatty = {
      [inspect.custom]() {
        target.warn('inner')
        return 'outer'
      },
    }
    target.log(chatty)
  })
  expect(said(lines)).toEqual([
    ['warn', 'inner'],
    ['info', 'outer'],
  ])
})

test('whoever kept a method from before prints past the capture, so a logger to the console does not go in circles', () => {
  const kept = keptConsole()
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
  const kept = keptConsole()
  kept.capture({ logger: log, objects: 'attributes' })
  return kept.console.log
}

describe("with objects: 'attributes'", () => {
  const attributes = { objects: 'attributes' } as const

  test('the first object is the attributes and the first Error the exception, wherever they stand', () => {
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

  test('names in braces stay as they are, and placeholders take their values first', () => {
    const lines = logged((target) => {
      target.log('user {id} 100%', { id: 1 })
      target.log('%s %j', 'x', { a: 1 }, '50%', { id: 2 })
    }, attributes)
    expect(lines.map(({ message }) => message as unknown)).toEqual(['user {id} 100%', 'x {"a":1} 50%'])
    expect(lines[1]!['attributes']).toEqual({ id: 2 })
  })

  test('groups indent the message, and a label can have attributes', () => {
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

  test('rules by path and key cover what is printed, by whichever method and wherever it stands', () => {
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

  test('the redaction scenarios of the logger hold for the console (row 34)', () => {
    // A function is a value here.
    const ofConsole = scenarios.filter(({ where }) => where !== 'lazy')
    fc.assert(
      fc.property(ofConsole, (scenario) => {
        const covered = written(scenario, ruleOf(scenario), lineKeeper(), printing)
        expect(covered).not.toContain(canary)
        expect(covered).toContain(open)
        expect(written(scenario, undefined, lineKeeper(), printing)).toContain(canary)
      }),
      { numRuns: 500 },
    )
  })

  test.each(hostile)('%s is logged, and nothing is thrown', (_, make) => {
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

test("patterns cover text in both modes, and rules of the capture are in addition to the logger's", async () => {
  const redact = { patterns: ['email' as const] }
  const lines = logged((target) => target.log('to a@example.com', { b: 'c@example.com', password: 'x' }), {
    objects: 'attributes',
    redact: { ...redact, keys: ['password'] },
  })
  expect(lines[0]).toMatchObject({ message: 'to [REDACTED]', attributes: { b: '[REDACTED]', password: '[REDACTED]' } })

  const kept = keptConsole()
  const capture = kept.capture({ stream: kept.stdout, redact })
  kept.console.error('to %s', 'a@example.com', { b: 'c@example.com' })
  await capture.release()
  expect(kept.stdout.text).toBe("to [REDACTED] { b: '[REDACTED]' }\n")
})

import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { seed } from '../../support/seed.ts'
import { dockerLine } from './mixed-stream.ts'
import { readBytes, textOf } from './read-bytes.ts'

const record = '{"level":50,"time":1795254963123,"msg":"failed"}'

/** Returns what was read: the stack trace or message of records, and `text:` with text. */
function summary(lines: readonly string[]): unknown[] {
  return readBytes(lines.map((line) => `${line}\n`).join('')).map((item) =>
    item.record === undefined
      ? `text:${textOf(item).trimEnd()}`
      : (item.record.attributes.get('exception.stacktrace') ?? item.record.message),
  )
}

describe('RecordReader', () => {
  it('keeps the stack trace that follows a record with a stack trace of its own', () => {
    const failed = JSON.stringify({
      level: 50,
      time: 1_795_254_963_123,
      msg: 'failed',
      err: { stack: 'Error: x\n    at a (a.js:1:1)' },
    })
    const other = ['Error: y', '    at b (b.js:2:2)']
    expect(summary([failed, ...other])).toEqual([['Error: x', '    at a (a.js:1:1)', ...other].join('\n')])
    expect(summary([failed, '    indented'])).toEqual([['Error: x', '    at a (a.js:1:1)', '    indented'].join('\n')])
  })

  it('gives a stack trace once that is also in lines after the record', () => {
    const stack = ['Error: x', '    at a (a.js:1:1)']
    const failed = JSON.stringify({
      level: 50,
      time: 1_795_254_963_123,
      msg: 'failed',
      err: { stack: stack.join('\n') },
    })
    expect(summary([failed, ...stack])).toEqual([stack.join('\n')])
    expect(summary([failed, stack[1]!])).toEqual([stack.join('\n')])
  })

  it.each<readonly [string, readonly string[]]>([
    ['V8', ['TypeError: x', '    at a (a.js:1:1)', '    at async b (b.js:2:2)']],
    ['V8 with a code', ['AssertionError [ERR_ASSERTION]: x', '    at a (a.js:1:1)']],
    [
      'util.inspect with properties',
      ['Error: x', '    at a (a.js:1:1) {', "  code: 'E',", '  [cause]: Error: y', '      at b', '}'],
    ],
    ['V8 without a header', ['    at a (a.js:1:1)', '    at b (b.js:2:2)']],
    ['this package', ['Error: x', '    at a (a.js:1:1)', 'Caused by: Error: y', '    at b (b.js:2:2)']],
    [
      'Java',
      [
        'java.lang.IllegalStateException: x',
        '\tat a.B.c(B.java:1)',
        '\t... 12 more',
        'Caused by: java.io.IOException',
        '\tat d',
      ],
    ],
    [
      'Python',
      [
        'Traceback (most recent call last):',
        '  File "a.py", line 1, in <module>',
        '    f()',
        'ValueError: x',
        '',
        'During handling of the above exception, another exception occurred:',
        '',
        'Traceback (most recent call last):',
        '  File "a.py", line 3, in <module>',
        'RuntimeError',
      ],
    ],
    [
      'Go without its first line',
      [
        'goroutine 1 [running]:',
        'main.(*Server).serve(0xc000012345, {0x1, 0x2})',
        '\t/app/main.go:8 +0x1d',
        'created by main.main in goroutine 1',
        '\t/app/main.go:4 +0x2a',
        '',
        'goroutine 18 [chan receive]:',
        'main.wait(...)',
        '\t/app/main.go:20',
        'exit status 2',
      ],
    ],
    [
      'Rust',
      [
        "thread 'main' panicked at src/main.rs:4:5:",
        'index out of bounds: the len is 3 but the index is 99',
        'stack backtrace:',
        '   0: rust_begin_unwind',
        '             at /rustc/9fc6b4/library/std/src/panicking.rs:645:5',
        'note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.',
      ],
    ],
    [
      'Rust without a backtrace',
      [
        "thread 'worker-1' (4242) panicked at src/main.rs:4:5:",
        'assertion `left == right` failed',
        '  left: 1',
        ' right: 2',
        'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
      ],
    ],
    ['Ruby', ["app.rb:3:in `load': undefined method `x' for nil (NoMethodError)", "\tfrom app.rb:7:in `<main>'"]],
    [
      'Ruby 3.4 on Rails',
      ["app/models/order.rb:3:in 'Order#load'", "app/controllers/orders_controller.rb:9:in 'OrdersController#show'"],
    ],
    ['an error whose message has several lines', ['Error: one', 'two', '', 'three', '    at a (a.js:1:1)']],
  ])('keeps a stack trace of %s with the record before it', (_name, stack) => {
    expect(summary([record, ...stack, 'next'])).toEqual([stack.join('\n'), 'text:next'])
    expect(summary([record, ...stack, record])).toEqual([stack.join('\n'), 'failed'])
  })

  it.each<readonly [name: string, level: string, type: string, message: string, lines: readonly string[]]>([
    [
      'Node',
      'fatal',
      'TypeError',
      'no route',
      [
        '/app/server.js:3',
        "    throw new TypeError('no route')",
        '    ^',
        '',
        'TypeError: no route',
        '    at handle (/app/server.js:3:11)',
        '    at node:internal/main/run_main_module:28:49 {',
        "  code: 'E_ROUTE'",
        '}',
        '',
        'Node.js v24.0.0',
      ],
    ],
    [
      'Node with the line of the source in the first column',
      'fatal',
      'Error',
      'two\nlines',
      [
        'file:///app/main.mjs:1',
        "throw new Error('two",
        '^',
        '',
        'Error: two',
        'lines',
        '    at file:///app/main.mjs:1:7',
        '',
        'Node.js v24.0.0',
      ],
    ],
    [
      'Node with a source map',
      'fatal',
      'Error',
      'x',
      ['/app/main.ts:3', "  throw new Error('x')", '        ^', '', '', 'Error: x', '    at f (/app/main.ts:3:9)'],
    ],
    [
      'Node with a code',
      'fatal',
      'Error',
      "Cannot find module 'a'",
      [
        'node:internal/modules/esm/resolve:283',
        '    throw new ERR_MODULE_NOT_FOUND(',
        '          ^',
        '',
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'a'",
        '    at finalizeResolution (node:internal/modules/esm/resolve:283:11)',
      ],
    ],
    [
      'Node for a rejection that is not an error',
      'fatal',
      'UnhandledPromiseRejection',
      'This error originated either by throwing inside of an async function',
      [
        'node:internal/process/promises:394',
        '      triggerUncaughtException(err, true /* fromPromise */);',
        '      ^',
        '',
        '[UnhandledPromiseRejection: This error originated either by throwing inside of an async function] {',
        "  code: 'ERR_UNHANDLED_REJECTION'",
        '}',
      ],
    ],
    [
      'Node for a text of the command line',
      'fatal',
      '',
      'a string',
      [
        '[eval]:1',
        "throw 'a string'",
        '^',
        'a string',
        '(Use `node --trace-uncaught ...` to show where the exception was thrown)',
        '',
        'Node.js v24.0.0',
      ],
    ],
    ['a browser', 'fatal', 'TypeError', 'x', ['Uncaught TypeError: x', '    at f (https://a.example/b.js:1:1)']],
    [
      'Java in the main thread',
      'error',
      'java.lang.RuntimeException',
      'x',
      [
        'Exception in thread "main" java.lang.RuntimeException: x',
        '\tat a.B.main(B.java:3)',
        'Caused by: a.Gone: y',
        '\tat a.B',
      ],
    ],
    [
      '.NET',
      'fatal',
      'System.InvalidOperationException',
      'x',
      [
        'Unhandled exception. System.InvalidOperationException: x',
        ' ---> System.IO.IOException: y',
        '   at Shop.Load() in /app/Shop.cs:line 3',
        '   --- End of inner exception stack trace ---',
        '   at Shop.Main() in /app/Shop.cs:line 9',
        '--- End of stack trace from previous location ---',
        '   at System.Threading.Run()',
      ],
    ],
  ])('reads an uncaught error of %s as a record of its own', (_name, level, type, message, lines) => {
    const values = {
      ...(type === '' ? {} : { 'exception.type': type }),
      'exception.message': message,
      'exception.stacktrace': lines.join('\n'),
    }
    for (const before of [[], [record], ['text'], [record, 'TypeError: y', '    at y'], ['/app/a.c:12']]) {
      const items = readBytes([...before, ...lines, 'next', ''].join('\n'))
      const uncaught = items.at(-2)!
      expect(uncaught.record).toMatchObject({ level, severityNumber: level === 'fatal' ? 21 : 17 })
      expect(uncaught.record!.message).toContain(message)
      expect(Object.fromEntries(uncaught.record!.attributes)).toEqual(values)
      expect(textOf(uncaught)).toBe(lines.map((line) => `${line}\n`).join(''))
      expect(items.map(textOf).join('')).toBe([...before, ...lines, 'next', ''].join('\n'))
      expect(items).toHaveLength(before.length === 0 ? 2 : 3)
    }
    expect(summary([record, ...lines, record])).toEqual(['failed', lines.join('\n'), 'failed'])
  })

  it('reads a trace of Python as a record of its own, except after a record with a high level', () => {
    const trace = ['Traceback (most recent call last):', '  File "a.py", line 1, in <module>', 'a.Error: x', 'y']
    const chain = [
      ...trace.slice(0, 3),
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      ...trace.slice(0, 2),
      'KeyError: 5',
    ]
    const info = '{"level":30,"time":1795254963123,"msg":"started"}'
    for (const before of [info, 'text', '{"message":"no level"}']) {
      const [, ...items] = readBytes([before, ...trace.slice(0, 3), ...chain, info].join('\n'))
      expect(items.map(({ record }) => record!.message)).toEqual(['a.Error: x', 'KeyError: 5', 'started'])
      expect(items[0]!.record).toMatchObject({ level: 'error', severityNumber: 17 })
      expect(Object.fromEntries(items[1]!.record!.attributes)).toEqual({
        'exception.type': 'KeyError',
        'exception.message': '5',
        'exception.stacktrace': chain.join('\n'),
      })
    }
    expect(summary([record, ...chain])).toEqual([chain.join('\n')])
    expect(summary(['2026-11-21 09:56:03 WARNING x', ...chain])).toEqual([chain.join('\n')])
    const group = [
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "g.py", line 1, in <module>',
      '  | ExceptionGroup: many (1 sub-exception)',
      '  +-+---------------- 1 ----------------',
      '    | ValueError: 1',
      '    +------------------------------------',
    ]
    const [, item] = readBytes([info, ...group, ''].join('\n'))
    expect(item!.record).toMatchObject({ level: 'error', message: 'ExceptionGroup: many (1 sub-exception)' })
    expect(summary([info, ...group])).toEqual(['started', group.join('\n')])
  })

  it('reads lines that begin like an uncaught error of Node as text if no source with carets follows', () => {
    for (const rest of [
      ['/app/a.c:12'],
      ['/app/a.c:12', 'two', 'three'],
      ['/app/a.c:12', '    at a', '    at b'],
      ['/app/a.c:12', '/app/a.c:13', '  x'],
    ])
      for (const before of [[], ['text']])
        expect(summary([...before, ...rest])).toEqual([...before, ...rest].map((line) => `text:${line}`))
  })

  it('does not search for uncaught errors in lines that are read as text', () => {
    const lines = ['/app/a.js:1', 'throw x', '^', 'Uncaught Error: x']
    const items = readBytes(lines.join('\n'), { input: 'text' })
    expect(items.map(({ record }) => record)).toEqual(lines.map(() => undefined))
  })

  it('reads lines as text if they are not of a stack trace after a record', () => {
    expect(summary([record, 'TypeError: x', 'next'])).toEqual(['failed', 'text:TypeError: x', 'text:next'])
    expect(summary([record, 'text', '    at a'])).toEqual(['failed', 'text:text', 'text:    at a'])
    expect(summary([record, '', '    at a'])).toEqual(['failed', 'text:', 'text:    at a'])
    expect(summary([record, '{', '  "a": 1', '}'])).toEqual(['failed', 'text:{', 'text:  "a": 1', 'text:}'])
  })

  it('reads a panic of Go as a record with its stack', () => {
    const stack = ['goroutine 1 [running]:', 'main.main()', '\t/app/main.go:8 +0x1d']
    const [first, panic, next] = readBytes(
      [record, 'panic: index out of range [5]', '', ...stack, 'exit status 2', '', 'next', ''].join('\n'),
    )
    expect(first!.record!.attributes.size).toBe(0)
    expect(panic!.record).toMatchObject({ level: 'panic', severityNumber: 21, message: 'index out of range [5]' })
    expect(panic!.record!.attributes.get('exception.stacktrace')).toBe([...stack, 'exit status 2'].join('\n'))
    expect(textOf(next!)).toBe('\n')
    const [deadlock] = readBytes(['fatal error: all goroutines are asleep - deadlock!', '', ...stack].join('\n'))
    expect(deadlock!.record).toMatchObject({ level: 'fatal', message: 'all goroutines are asleep - deadlock!' })
    expect(deadlock!.record!.attributes.get('exception.stacktrace')).toBe(stack.join('\n'))
    const signal = '[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48b1c3]'
    expect(summary(['panic: x', signal, '', ...stack])).toEqual([[signal, '', ...stack].join('\n')])
  })

  it('reads the lines of an error as text if no frame follows them', () => {
    const lines = ['/app/server.js:3', 'Error: one', 'two', ...Array.from({ length: 50 }, () => 'more'), '    at last']
    expect(summary([record, ...lines])).toEqual(['failed', ...lines.map((line) => `text:${line}`)])
    for (const rest of [
      ['Error: one', 'two', '  three'],
      ['/app/server.js:3', 'two', 'three'],
      ['', '  two'],
    ])
      expect(summary([record, ...rest])).toEqual(['failed', ...rest.map((line) => `text:${line}`)])
    // A line with a level is a record.
    expect(summary([record, 'Error: one', 'info: two', '    at a'])).toEqual(['failed', 'text:Error: one', '    at a'])
  })

  it.each([
    ['docker', (line: string) => dockerLine(`${line}\n`)],
    ['CRI', (line: string) => `2016-10-06T00:17:09.669794202Z stderr F ${line}`],
    ['syslog', (line: string) => `<11>1 2016-10-06T00:17:09Z host app 1 - - ${line}`],
    ['journald', (line: string) => JSON.stringify({ __REALTIME_TIMESTAMP: '1', PRIORITY: '6', MESSAGE: line })],
  ])('reads stack traces and uncaught errors in lines of %s', (_name, wrap) => {
    const stack = ['Error: x', 'y', '    at a (/app/a.js:1:7)']
    expect(summary([record, ...stack, record].map(wrap))).toEqual([stack.join('\n'), 'failed'])
    const uncaught = ['/app/a.js:1', "throw new Error('x", '^', '', ...stack]
    expect(summary([record, ...uncaught, record].map(wrap))).toEqual(['failed', uncaught.join('\n'), 'failed'])
    const [, item] = readBytes([record, ...uncaught].map((line) => `${wrap(line)}\n`).join(''))
    expect(item!.record).toMatchObject({ level: 'fatal', severityNumber: 21, message: 'Error: x\ny' })
    expect(typeof item!.record!.time).toBe('number')
    const text = ['/app/a.c:12', 'two', 'three']
    expect(summary(text.map(wrap))).toEqual(text)
  })

  it('reads indented JSON as a record', () => {
    expect(summary([record, `  ${record}`])).toEqual(['failed', 'failed'])
  })

  it('adds other indented lines to the message', () => {
    expect(summary(['info: first', '  second', 'next'])).toEqual(['first\n  second', 'text:next'])
  })

  it('adds lines to the stack trace that a record has', () => {
    const line =
      '{"level":50,"time":1795254963123,"msg":"failed","err":{"type":"Error","message":"x","stack":"Error: x\\n at a"}}'
    const [item, ...others] = readBytes(`${line}\n    at b\n`)
    expect(item!.record!.attributes.get('exception.stacktrace')).toBe('Error: x\n at a\n    at b')
    expect(textOf(item!)).toBe(`${line}\n    at b\n`)
    expect(others).toEqual([])
  })

  it('adds the message to a stack trace that follows it without a header', () => {
    expect(summary(['2026-11-21 09:56:03 ERROR TypeError: x', '    at a'])).toEqual(['TypeError: x\n    at a'])
  })

  it('keeps stack traces of containers apart, however their lines are mixed', () => {
    const containers = ['a', 'b', 'c']
    const stackLines = ['TypeError: x', '    at a (a.js:1:1)', '    at b (b.js:1:1)']
    const parts = fc.constantFrom([record, ...stackLines], [record], ['text'], [record, ...stackLines.slice(1)])
    const streams = fc.tuple(...containers.map(() => fc.array(parts, { maxLength: 8 })))
    const order = fc.infiniteStream(fc.nat(containers.length - 1))
    fc.assert(
      fc.property(streams, order, fc.array(fc.integer({ min: 1, max: 9 })), (streams, order, counts) => {
        const queues = streams.map((groups, index) =>
          groups.flat().map((line) => `${containers[index]!}-1  | ${line}\n`),
        )
        let text = ''
        for (const index of order) {
          text += queues[index]!.shift() ?? ''
          if (queues.every((queue) => queue.length === 0)) break
        }
        const items = readBytes(text, {}, counts)
        for (const [index, groups] of streams.entries()) {
          const prefix = `${containers[index]!}-1  | `
          const own = items.filter((item) => item.origin.container === `${containers[index]!}-1`)
          expect(own.map(textOf)).toEqual(groups.map((group) => group.map((line) => `${prefix}${line}\n`).join('')))
          expect(own.map((item) => item.record?.attributes.get('exception.stacktrace'))).toEqual(
            groups.map((group) => (group.length > 1 ? group.slice(1).join('\n') : undefined)),
          )
        }
        // Items are in the order of their first lines.
        const lines = items.map(({ origin }) => origin.line)
        expect(lines).toEqual(lines.toSorted((a, b) => a - b))
      }),
      { seed, numRuns: 300 },
    )
  })

  it('keeps a stack trace with its record if a container wrote JSON between them', () => {
    const other = dockerLine('{"level":30,"msg":"other"}\n')
    expect(summary([record, other, '    at a', record, other])).toEqual(['    at a', 'other', 'failed', 'other'])
    const items = readBytes(`${record}\n${other}\n    at needed\n`, { needed: { texts: [['needed']] } })
    expect(items.map(textOf)[0]).toBe(`${record}\n    at needed\n`)
  })

  it('does not wait for the stack trace of a container while others write', () => {
    const others = Array.from({ length: 300 }, (_, index) => `b-1  | text ${index}`)
    expect(summary([`a-1  | ${record}`, ...others, 'a-1  |     at late'])).toEqual([
      'failed',
      ...others.map((line) => `text:${line}`),
      'text:a-1  |     at late',
    ])
  })
})

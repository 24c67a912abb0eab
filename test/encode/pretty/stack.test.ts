import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { stackLines } from '../../../src/encode/pretty/stack.ts'
import { painter } from '../../../src/encode/pretty/colors.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { recordOf } from '../../support/values/records.ts'
import { shown, shownLines } from './shown.ts'

const style = {
  paint: painter(false),
  workingDirectory: '/app/',
  maxFrames: Infinity,
  showsOnlyOwnFrames: false,
  foldsInternalFrames: false,
}

function lines(text: string, options: Partial<typeof style> = {}): string[] {
  return stackLines(text, { ...style, ...options })
}

describe('stack frames', () => {
  test.each([
    ['at place (/app/src/order.ts:3:7)', 'at place (src/order.ts:3:7)'],
    ['at place (file:///app/src/order.ts:3:7)', 'at place (src/order.ts:3:7)'],
    ['at file:///app/a%20b.ts:3:7', 'at a b.ts:3:7'],
    ['at async Promise.all (index 0)', 'at async Promise.all (index 0)'],
    ['at async /app/main.ts:3:7', 'at async main.ts:3:7'],
    ['at new Shop (/other/shop.ts:1:1)', 'at new Shop (/other/shop.ts:1:1)'],
    ['at /applet/x.ts:1:1', 'at /applet/x.ts:1:1'],
    ['at Object.<anonymous> (/app/a (copy).ts:1:2)', 'at Object.<anonymous> (a (copy).ts:1:2)'],
    ['at node:internal/process/task_queues:5:5', 'at node:internal/process/task_queues:5:5'],
    [
      'at eval (eval at run (/app/x.js:1:1), <anonymous>:1:1)',
      'at eval (eval at run (/app/x.js:1:1), <anonymous>:1:1)',
    ],
  ])('the frame %j is shown as %j', (frame, text) => {
    expect(lines(`Error: x\n    ${frame}`)).toEqual(['Error: x', `  ${text}`])
  })

  test('paths of Windows are relative to the working directory', () => {
    const windows = { workingDirectory: 'C:/app/' }
    expect(lines('Error\n    at f (C:\\app\\src\\a.ts:1:2)', windows)).toEqual(['Error', '  at f (src\\a.ts:1:2)'])
    expect(lines('Error\n    at f (file:///C:/app/src/a.ts:1:2)', windows)).toEqual(['Error', '  at f (src/a.ts:1:2)'])
  })

  test('own frames are bright, and those of Node, of packages and of native code are dim', () => {
    const text = `Error: x
    at own (/app/src/a.ts:1:2)
    at route (/app/node_modules/express/lib/router.js:1:2)
    at Array.map (<anonymous>)
    at node:internal/timers:5:5`
    expect(lines(text, { paint: painter(true) })).toEqual([
      '\u001b[31mError\u001b[0m: x',
      '  \u001b[2mat \u001b[0mown \u001b[2m(\u001b[0m\u001b[36msrc/a.ts:1:2\u001b[0m\u001b[2m)\u001b[0m',
      '  \u001b[2mat route (node_modules/express/lib/router.js:1:2)\u001b[0m',
      '  \u001b[2mat Array.map (<anonymous>)\u001b[0m',
      '  \u001b[2mat node:internal/timers:5:5\u001b[0m',
    ])
  })

  test('the number of frames can be limited, and frames of others can be counted', () => {
    const text = 'Error: x\n    at a (/app/a.ts:1:1)\n    at node:b:1:1\n    at c (/app/c.ts:1:1)'
    expect(lines(text, { maxFrames: 1 })).toEqual(['Error: x', '  at a (a.ts:1:1)', '  … 2 more frames'])
    expect(lines(text, { maxFrames: 0 })).toEqual(['Error: x'])
    expect(lines(text, { showsOnlyOwnFrames: true })).toEqual([
      'Error: x',
      '  at a (a.ts:1:1)',
      '  at c (c.ts:1:1)',
      '  … 1 more frame',
    ])
  })
})

/** Indents all lines but the first. */
const indented = (text: string) => text.replaceAll('\n', '\n    ')

/** Returns the lines of frames. */
const frames = (...names: string[]) => names.map((name) => `\n    at ${name} (/app/a.ts:1:1)`).join('')

const at = (...paths: string[]) => paths.map((path) => `\n    at f (${path}:1:1)`).join('')

describe('folded frames', () => {
  test('consecutive frames of node:internal are one line with their number', () => {
    const text = `Error: x${at('/app/a.ts', 'node:internal/b', 'node:internal/c', '/app/d.ts', 'node:internal/e', 'node:fs')}`
    expect(lines(text, { foldsInternalFrames: true })).toEqual([
      'Error: x',
      '  at f (a.ts:1:1)',
      '  … 2 frames of node:internal',
      '  at f (d.ts:1:1)',
      '  at f (node:internal/e:1:1)',
      '  at f (node:fs:1:1)',
    ])
  })
})

describe('chains of errors', () => {
  test.each([
    ['pino', '', 'caused by: TypeError: y\n    at b (/app/b.ts:1:1)'],
    ['Node', ' {', '  [cause]: TypeError: y\n      at b (/app/b.ts:1:1)'],
  ])('a cause as %s writes it is not a frame', (_logger, end, cause) => {
    expect(lines(`Error: x\n    at a (/app/a.ts:1:1)${end}\n${cause}`)).toEqual([
      'Error: x',
      '  at a (a.ts:1:1)',
      'Caused by: TypeError: y',
      '  at b (b.ts:1:1)',
    ])
  })

  test('a cause does not repeat the frames that it shares with the error before it', () => {
    const text = `Error: outer${frames('outer', 'run', 'main')}\nCaused by: Error: inner${frames('inner', 'outer', 'run', 'main')}`
    expect(lines(text)).toEqual([
      'Error: outer',
      '  at outer (a.ts:1:1)',
      '  at run (a.ts:1:1)',
      '  at main (a.ts:1:1)',
      'Caused by: Error: inner',
      '  at inner (a.ts:1:1)',
      '  … 3 frames as above',
    ])
  })

  test('a cause whose stack ends earlier because of the limit of V8 does not repeat frames either', () => {
    const text = `Error: outer${frames('outer', 'run', 'main')}\nCaused by: Error: inner${frames('inner', 'outer', 'run')}`
    expect(lines(text).at(-1)).toBe('  … 2 frames as above')
  })

  test('frames after the last frame of the error above are shown', () => {
    const text = `Error: outer${frames('outer', 'run', 'main')}\nCaused by: Error: inner${frames('inner', 'run', 'main', 'start', 'boot')}`
    expect(lines(text).slice(4)).toEqual([
      'Caused by: Error: inner',
      '  at inner (a.ts:1:1)',
      '  … 2 frames as above',
      '  at start (a.ts:1:1)',
      '  at boot (a.ts:1:1)',
    ])
    expect(lines(text, { maxFrames: 2 }).slice(5)).toEqual([
      '  at inner (a.ts:1:1)',
      '  … 2 frames as above',
      '  at start (a.ts:1:1)',
      '  … 1 more frame',
    ])
  })

  test('shared frames of a recursion are counted at most as often as the error above has them', () => {
    const text = `Error: outer${frames('outer', 'f', 'f', 'main')}\nCaused by: Error: inner${frames('inner', 'f', 'f', 'f', 'f')}`
    expect(lines(text).slice(5)).toEqual([
      'Caused by: Error: inner',
      '  at inner (a.ts:1:1)',
      '  at f (a.ts:1:1)',
      '  at f (a.ts:1:1)',
      '  … 2 frames as above',
    ])
  })

  test('the shared frames are among those of the error above and in their order', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const chain = fc.tuple(fc.array(name, { maxLength: 12 }), fc.array(name, { maxLength: 12 }))
    fc.assert(
      fc.property(chain, ([outer, inner]) => {
        const cause = lines(`Error: x${frames(...outer)}\nCaused by: Error: y${frames(...inner)}`).slice(
          outer.length + 2,
        )
        const at = cause.findIndex((line) => line.endsWith('frames as above'))
        const shown = cause.filter((_, index) => index !== at)
        const count = at < 0 ? 0 : Number(/\d+/.exec(cause[at]!))
        const shared = inner.slice(at, at + count)
        expect(shown).toEqual(inner.toSpliced(at, count).map((frame) => `  at ${frame} (a.ts:1:1)`))
        expect(outer.join('')).toContain(shared.join(''))
      }),
    )
  })

  test('two errors with a hundred thousand frames each are compared in linear time', async () => {
    // A comparison of each frame with each other one takes a minute, and the program is ended before.
    const { stdout, code } = await runModule(`${importOf('{ stackLines }', 'src/encode/pretty/stack.ts')}
      const frames = '\\n    at f (/app/a.ts:1:1)'.repeat(100_000)
      const text = 'Error: x\\n    at outer' + frames + '\\n    at a\\nCaused by: Error: y' + frames + '\\n    at b'
      const style = { paint: (_, shown) => shown, workingDirectory: '', maxFrames: 1, showsOnlyOwnFrames: false }
      console.log(stackLines(text, style).at(-1))`)
    expect([code, stdout]).toEqual([0, '  … 100000 more frames\n'])
  })

  test('a single shared frame is repeated', () => {
    const text = `Error: outer${frames('outer', 'main')}\nCaused by: Error: inner${frames('inner', 'main')}`
    expect(lines(text).slice(-2)).toEqual(['  at inner (a.ts:1:1)', '  at main (a.ts:1:1)'])
  })

  test('the errors of an AggregateError are indented, and the last one does not hide the frames of a cause', () => {
    const text =
      `AggregateError: all${frames('all', 'main')}` +
      indented(`\nError 1 of 2: Error: one${frames('one', 'all', 'main')}`) +
      indented(
        `\nError 2 of 2: Error: two${frames('two', 'all', 'main')}\nCaused by: Error: deep${frames('deep', 'two', 'all')}`,
      )
    expect(lines(text)).toEqual([
      'AggregateError: all',
      '  at all (a.ts:1:1)',
      '  at main (a.ts:1:1)',
      '    Error 1 of 2: Error: one',
      '      at one (a.ts:1:1)',
      '      … 2 frames as above',
      '    Error 2 of 2: Error: two',
      '      at two (a.ts:1:1)',
      '      … 2 frames as above',
      '    Caused by: Error: deep',
      '      at deep (a.ts:1:1)',
      '      … 2 frames as above',
    ])
  })

  test('messages with several lines and texts instead of errors keep their lines', () => {
    expect(lines('Error: first\nsecond\n    at a (/app/a.ts:1:1)\nCaused by: just text')).toEqual([
      'Error: first',
      '  second',
      '  at a (a.ts:1:1)',
      'Caused by: just text',
    ])
  })
})

describe('stacks that are data', () => {
  test('a label with an indent that no error chain has is not the start of an error', () => {
    const at = '\n    at a (/app/a.ts:1:1)'
    for (const indent of [1, 3, 4, 8, 16_000]) {
      const text = `Error: x${at}\n${' '.repeat(indent)}Caused by: Error: y${at}`
      expect(lines(text)).toEqual(['Error: x', '  at a (a.ts:1:1)', '  Caused by: Error: y', '  at a (a.ts:1:1)'])
    }
  })

  test('the output is at most a fixed number of times as long as the stack', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'x', 'Error: x', 'Caused by: ', 'Error 1 of 2: y', 'at f (/app/a.ts:1:1)', '\u0007'),
      fc.string({ maxLength: 20 }),
    )
    const indent = fc.oneof(fc.constantFrom(0, 1, 4, 8, 12, 60, 64), fc.nat(2_000)).map((count) => ' '.repeat(count))
    const indentedLine = fc.tuple(indent, line).map((parts) => parts.join(''))
    const repeated = fc
      .tuple(indentedLine, fc.integer({ min: 1, max: 300 }))
      .map(([one, count]) => Array(count).fill(one))
    fc.assert(
      fc.property(fc.array(repeated, { maxLength: 10 }), (all) => {
        const text = all.flat().join('\n')
        expect(lines(text).join('\n').length).toBeLessThanOrEqual(80 * (text.length + 1))
      }),
    )
    const nested = Array.from({ length: 15 }, (_, index) => `${' '.repeat(4 * index)}Error 1 of 1: x`).join('\n')
    const text = `Error\n${nested}\n    at a (/app/a.ts:1:1)${'\n'.repeat(100_000)}`
    expect(lines(text).join('\n').length).toBeLessThanOrEqual(text.length)
  })

  test('a stack with many lines ends with the number of lines that are not shown', () => {
    const text = `Error: x${frames(...Array.from({ length: 5_000 }, (_, index) => `f${index}`))}`
    expect(lines(text)).toHaveLength(1_001)
    expect(lines(text).at(-1)).toBe('…[+4001 lines]')
  })
})

test('a record with the message of its error shows type and message once', () => {
  const exception = new RangeError('no stock')
  exception.stack = 'RangeError: no stock\n    at a (/x/a.ts:1:1)'
  expect(shownLines([recordOf({ body: 'no stock', exception })])).toEqual([
    'RangeError: no stock',
    '      at a (/x/a.ts:1:1)',
  ])
  expect(shownLines([recordOf({ exception })])).toEqual(['RangeError: no stock', '      at a (/x/a.ts:1:1)'])
  expect(shownLines([recordOf({ body: 'other', exception })])).toEqual([
    'other',
    '    RangeError: no stock',
    '      at a (/x/a.ts:1:1)',
  ])
})

test('an error that is an ordinary attribute is shown with its stack', () => {
  const failure = Object.assign(new TypeError('bad'), { code: 'E_BAD' })
  failure.stack = 'TypeError: bad\n    at a (/x/a.ts:1:1)'
  expect(shown({ failure })).toEqual([
    'm',
    '    failure:',
    '      TypeError: bad',
    '        at a (/x/a.ts:1:1)',
    '      code: E_BAD',
  ])
})

test.each([
  [{ hide: ['exception.stacktrace'] }, 'm  exception.type=RangeError exception.message="no stock"'],
  [{ hide: ['exception.stacktrace', 'exception.type'] }, 'm  exception.message="no stock"'],
  [{ hide: ['exception.*'] }, 'm'],
  [{ only: ['exception.type'] }, 'm  exception.type=RangeError'],
  [{ only: ['id'] }, 'm'],
])('with the options %j an error is shown without its stack', (options, line) => {
  const record = recordOf({ body: 'm', exception: new RangeError('no stock') })
  expect(shownLines([record], options)).toEqual([line])
})

test('an attribute with the name of the stack that is not a text is shown as an attribute', () => {
  expect(shown({ 'exception.stacktrace': [1], 'exception.type': 'x' })).toEqual([
    'm  exception.stacktrace=[1] exception.type=x',
  ])
})

describe('programs', () => {
  let directory: TemporaryDirectory
  beforeAll(() => {
    directory = temporaryDirectory()
  })
  afterAll(() => directory.remove())

  test('frames have the paths of the source files if Node uses source maps', async () => {
    const compiled = join(directory.path('.'), 'compiled.mjs')
    const map = {
      version: 3,
      sources: ['shop/order.ts'],
      names: [],
      // The first character of line 2 is that of line 7 of the source.
      mappings: ';AAMA',
    }
    const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
    const program = `${importOf('{ logger }', 'src/entries/index.ts').trimEnd()}
logger.error(new Error('x'))
//# sourceMappingURL=${url}
`
    writeFileSync(compiled, program)
    const output = execFileSync(process.execPath, ['--enable-source-maps', compiled], {
      cwd: directory.path('.'),
      env: { SLUICE_FORMAT: 'pretty', PATH: process.env['PATH'] },
      encoding: 'utf8',
    })
    expect(output).toMatch(/^[\d:.]+ ERROR Error: x\n {6}at (?:.* \()?shop\/order\.ts:7:1/)
  })

  test('paths are shown without a working directory if it was removed', async () => {
    const { stdout } = await runModule(
      `${importOf('{ createLogger }', 'src/entries/index.ts')}
      ${importOf('{ fdExporter }', 'src/entries/exporters.ts')}
      import { mkdtempSync, rmdirSync } from 'node:fs'
      const directory = mkdtempSync('/tmp/removed-')
      process.chdir(directory); rmdirSync(directory)
      const error = new Error('x')
      error.stack = 'Error: x\\n    at f (' + directory + '/a.ts:1:2)\\n    at g (b.ts:1:2)'
      createLogger({ exporter: fdExporter({ format: 'pretty' }) }).error(error)`,
    )
    expect(stdout).toMatch(/ ERROR Error: x\n {6}at f \(\/tmp\/removed-\w+\/a\.ts:1:2\)\n {6}at g \(b\.ts:1:2\)\n$/)
  })
})

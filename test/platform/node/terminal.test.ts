import { describe, expect, test } from '@jest/globals'
import { plainDevice, terminalDevice, usesColor } from '../../../src/platform/node/terminal.ts'

describe('color', () => {
  // The rows of the table in docs/guides/terminal.md.
  test.each<[boolean, Record<string, string>, boolean]>([
    [true, {}, true],
    [true, { TERM: 'xterm-256color', COLORTERM: 'truecolor' }, true],
    [true, { TERM: 'dumb' }, false],
    [true, { TERM: 'dumb', COLORTERM: 'truecolor' }, false],
    [true, { TERM: 'dumb', FORCE_COLOR: '1' }, true],
    [true, { CI: 'true' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '0' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { NODE_DISABLE_COLORS: '1' }, false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [false, {}, false],
    [false, { CI: 'true' }, false],
    [false, { COLORTERM: 'truecolor' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '3' }, true],
    [false, { FORCE_COLOR: 'true' }, true],
    [false, { FORCE_COLOR: '' }, true],
  ])(
    'the output is colored according to the destination (terminal: %j) and the variables %j: %j',
    (isTerminal, env, result) => {
      expect(usesColor(isTerminal, env)).toBe(result)
    },
  )

  test('inherited variables are ignored', () => {
    expect(usesColor(true, Object.create({ NO_COLOR: '1' }) as Record<string, string>)).toBe(true)
  })
})

const refuse = (): never => {
  throw new Error('Requires env access')
}

test('the output is colored as if variables were unset when they cannot be read', () => {
  const refused = new Proxy({}, { get: refuse, getOwnPropertyDescriptor: refuse, has: refuse })
  expect(usesColor(true, refused)).toBe(true)
  expect(usesColor(false, refused)).toBe(false)
})

describe('width', () => {
  const descriptor = Object.getOwnPropertyDescriptor(process, 'stdout')!

  function columnsWith(stdout: () => unknown): number {
    Object.defineProperty(process, 'stdout', { configurable: true, get: stdout })
    try {
      return terminalDevice(1).columns()
    } finally {
      Object.defineProperty(process, 'stdout', descriptor)
    }
  }

  test.each([
    ['the width of the terminal', () => ({ columns: 133 }), 133],
    ['80 for a stream without a width', () => ({}), 80],
    ['80 for a terminal that reports the width 0', () => ({ columns: 0 }), 80],
    ['80 for a width that is not a number', () => ({ columns: '120' }), 80],
    ['80 without standard output', () => undefined, 80],
    [
      '80 if standard output cannot be opened',
      () => {
        throw new Error('closed')
      },
      80,
    ],
  ])('the number of columns is %s', (_kind, stdout, columns) => {
    expect(columnsWith(stdout)).toBe(columns)
  })

  test('a destination without a terminal has 80 columns', () => {
    expect(plainDevice().columns()).toBe(80)
  })
})

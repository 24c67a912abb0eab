import { describe, expect, test } from '@jest/globals'
import { addColors, createLogger, format, transports } from '../../../src/entries/winston.ts'
import { LEVEL } from '../../../src/compat/winston/info.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { infoKeeper } from './info-keeper.ts'

function problemsOf(make: () => unknown): { readonly path: string; readonly code: string; readonly message: string }[] {
  try {
    make()
  } catch (error) {
    return [...(error as ConfigurationError).problems]
  }
  return []
}

describe('unsupported options of winston', () => {
  test.each([
    ['handleExceptions', () => createLogger({ handleExceptions: true } as never)],
    ['padLevels', () => createLogger({ padLevels: true } as never)],
    ['colors', () => createLogger({ colors: {} } as never)],
    ['transports.Console.forceConsole', () => new transports.Console({ forceConsole: true } as never)],
    ['transports.Console.json', () => new transports.Console({ json: true } as never)],
    ['transports.Console.colorize', () => new transports.Console({ colorize: true } as never)],
    ['transports.File.timestamp', () => new transports.File({ filename: 'a', timestamp: true } as never)],
    ['transports.File.rotationFormat', () => new transports.File({ filename: 'a', rotationFormat: () => '' } as never)],
    ['transports.File.lazy', () => new transports.File({ filename: 'a', lazy: true } as never)],
    ['transports.File.stream', () => new transports.File({ stream: process.stdout } as never)],
    ['transports.File.options.flags', () => new transports.File({ filename: 'a', options: { flags: 'w' } })],
    ['transports.Http.agent', () => new transports.Http({ agent: {} } as never)],
    ['format.json.maximumDepth', () => format.json({ maximumDepth: 3 } as never)],
    ['format.json.circularValue', () => format.json({ circularValue: 'x' } as never)],
  ])('the unsupported option %s is rejected with a hint on what to do', (path, make) => {
    expect(problemsOf(make)).toEqual([
      { code: 'SLUICE_OPTION_UNSUPPORTED', path, message: expect.stringMatching(/not supported: .{10}/) },
    ])
  })
})

test('one error lists all invalid options, and no transport is attached', () => {
  const keeper = infoKeeper()
  const options = { levle: 'info', format: format.json, transports: [keeper.transport, {}], redact: ['a['], level: 5 }
  const problems = problemsOf(() => createLogger(options as never))
  expect(problems.map(({ path }) => path).toSorted()).toEqual([
    'format',
    'level',
    'levle',
    'redact[0]',
    'transports[1]',
  ])
  expect(keeper.transport.parent).toBeUndefined()
})

test.each([
  ['a level named like a method', () => createLogger({ levels: { write: 0 } }), 'levels.write'],
  ['an unknown level', () => createLogger({ level: 'bogus' }), 'level'],
  [
    'a level of the default levels with custom levels',
    () => createLogger({ level: 'info', levels: { loud: 0 } }),
    'level',
  ],
  ['a template that is not a function', () => format.printf(5 as never), 'format.printf'],
  ['an invalid replacer', () => format.json({ replacer: 5 } as never), 'format.json.replacer'],
  ['a date pattern that is not a string', () => format.timestamp({ format: 5 } as never), 'format.timestamp.format'],
  ['a key that is not a string', () => format.metadata({ key: 5 } as never), 'format.metadata.key'],
  ['a flag that is not a boolean', () => format.errors({ stack: 'yes' } as never), 'format.errors.stack'],
  ['a color that is not a string', () => format.colorize({ colors: { a: 5 } } as never), 'colors.a'],
  ['a filler that is not a string', () => format.cli({ filler: 5 } as never), 'format.cli.filler'],
  ['an unknown color', () => addColors({ info: 'blurple' }), 'colors.info'],
  ['a number in a list of colors', () => addColors({ info: ['red', 1] } as never), 'colors.info'],
  ['a file without a name', () => new transports.File({}), 'transports.File.filename'],
  ['a maxsize that is too small', () => new transports.File({ filename: 'a', maxsize: 10 }), 'transports.File.maxsize'],
  ['a format that is not a function', () => format(1 as never), 'format'],
  ['a missing stream', () => new transports.Stream({} as never), 'transports.Stream.stream'],
])('%s is rejected', (_, make, path) => {
  expect(problemsOf(make)).toMatchObject([{ path }])
})

test.each([
  ['addColors', addColors],
  ['format.colorize', (colors: Record<string, string>) => format.colorize({ colors })],
])('%s sets no color if one of the colors is rejected', (_, set) => {
  for (const rejected of ['blurple', 'red blurple']) {
    expect(() => set({ other: 'nocolor', rejected })).toThrow(ConfigurationError)
    expect(() => set({ rejected: 'red', other: rejected })).toThrow(ConfigurationError)
    const colorized = format.colorize().transform({ [LEVEL]: 'rejected', level: 'rejected', message: 'm' })
    expect(colorized).toMatchObject({ level: 'rejected', message: 'm' })
  }
})

test('a transport ignores options that are null, and options of winston 2 that are false', () => {
  const given = { maxsize: null, maxFiles: null, level: null, json: false, colorize: false }
  expect(
    problemsOf(() => new transports.Stream({ stream: process.stdout, ...given } as never)).map(({ path }) => path),
  ).toEqual([])
})

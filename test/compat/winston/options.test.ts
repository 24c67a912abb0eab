import { describe, expect, test } from '@jest/globals'
import { addColors, createLogger, format, transports } from '../../../src/entries/winston.ts'
import type { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { infoKeeper } from './info-keeper.ts'

function problemsOf(make: () => unknown): { readonly path: string; readonly code: string; readonly message: string }[] {
  try {
    make()
  } catch (error) {
    return [...(error as ConfigurationError).problems]
  }
  return []
}

describe('an option of winston that is not supported is told at construction, with what to do', () => {
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
  ])('%s', (path, make) => {
    expect(problemsOf(make)).toEqual([
      { code: 'SLUICE_OPTION_UNSUPPORTED', path, message: expect.stringMatching(/not supported: .{10}/) },
    ])
  })
})

test('everything that is wrong is told at once, and nothing has begun', () => {
  const keeper = infoKeeper()
  const wrong = { levle: 'info', format: format.json, transports: [keeper.transport, {}], redact: ['a['], level: 5 }
  const problems = problemsOf(() => createLogger(wrong as never))
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
  ['a level that would hide a method', () => createLogger({ levels: { write: 0 } }), 'levels.write'],
  ['a level that there is not', () => createLogger({ level: 'bogus' }), 'level'],
  ['a level of others', () => createLogger({ level: 'info', levels: { loud: 0 } }), 'level'],
  ['no function', () => format.printf(5 as never), 'format.printf'],
  ['no replacer', () => format.json({ replacer: 5 } as never), 'format.json.replacer'],
  ['no pattern', () => format.timestamp({ format: 5 } as never), 'format.timestamp.format'],
  ['no name', () => format.metadata({ key: 5 } as never), 'format.metadata.key'],
  ['no flag', () => format.errors({ stack: 'yes' } as never), 'format.errors.stack'],
  ['no color', () => format.colorize({ colors: { a: 5 } } as never), 'colors.a'],
  ['no text', () => format.cli({ filler: 5 } as never), 'format.cli.filler'],
  ['a color that there is not', () => addColors({ info: 'blurple' }), 'colors.info'],
  ['a file without a name', () => new transports.File({}), 'transports.File.filename'],
  ['a file that is full at once', () => new transports.File({ filename: 'a', maxsize: 10 }), 'transports.File.maxsize'],
  ['a format of no function', () => format(1 as never), 'format'],
  ['no stream', () => new transports.Stream({} as never), 'transports.Stream.stream'],
])('%s is refused', (_, make, path) => {
  expect(problemsOf(make)).toMatchObject([{ path }])
})

test('a transport passes over an option that is null, and what winston 2 had to be told not to do', () => {
  const given = { maxsize: null, maxFiles: null, level: null, json: false, colorize: false }
  expect(
    problemsOf(() => new transports.Stream({ stream: process.stdout, ...given } as never)).map(({ path }) => path),
  ).toEqual([])
})

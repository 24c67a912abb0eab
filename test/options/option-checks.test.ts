import { describe, expect, test } from '@jest/globals'
import { nearestName } from '../../src/options/nearest-name.ts'
import * as check from '../../src/options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../src/options/configuration-error.ts'
import { createLogger, defineEvent } from '../../src/entries/index.ts'

const schema: check.OptionSchema = {
  name: check.text(),
  code: check.text(/^[A-Z]+$/, 'be upper case'),
  level: check.choice(['info', 'warn', 'silent']),
  handleExit: check.flag,
  clock: check.callback,
  attributes: check.object,
  timeoutMillis: check.integer(0, 60_000),
  maxQueueSize: check.integer(1),
  paths: check.list(check.text()),
  levels: check.table(check.integer(1, 24)),
  redact: check.either('an array or an object', check.list(check.text()), check.object),
  limits: check.options({ depth: check.integer(1) }),
  types: check.anything,
}

function problemsOf(value: unknown, where = ''): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  check.checkOptions(value, schema, where, problems)
  return problems
}

test('valid options have no problems', () => {
  const options = {
    name: '',
    code: 'A',
    level: 'silent',
    handleExit: false,
    clock: Date.now,
    attributes: new Map(),
    timeoutMillis: 0,
    maxQueueSize: Infinity,
    paths: [],
    levels: { notice: 10 },
    redact: ['a'],
    limits: { depth: 1 },
    types: null,
  }
  expect(problemsOf(options)).toEqual([])
  expect(problemsOf({ ...options, redact: { keys: [] } })).toEqual([])
})

test('missing and undefined options are valid', () => {
  expect(problemsOf(undefined)).toEqual([])
  expect(problemsOf({})).toEqual([])
  expect(problemsOf(Object.fromEntries(Object.keys(schema).map((name) => [name, undefined])))).toEqual([])
  expect(problemsOf({ levels: { notice: undefined } })).toEqual([])
  expect(problemsOf({ nobodyKnows: undefined })).toEqual([])
})

describe('validation problems', () => {
  test.each<[string, unknown, string, string, string]>([
    ['text', { name: 5 }, 'SLUICE_OPTION_TYPE', 'name', 'must be a string, not a number'],
    ['null', { name: null }, 'SLUICE_OPTION_TYPE', 'name', 'must be a string, not null'],
    ['a pattern', { code: 'a' }, 'SLUICE_OPTION_RANGE', 'code', 'must be upper case'],
    [
      'an unknown word',
      { level: 'wran' },
      'SLUICE_OPTION_RANGE',
      'level',
      'must be one of info, warn, silent; did you mean "warn"?',
    ],
    ['no word', { level: 5 }, 'SLUICE_OPTION_TYPE', 'level', 'must be one of info, warn, silent, not a number'],
    ['a flag', { handleExit: 'yes' }, 'SLUICE_OPTION_TYPE', 'handleExit', 'must be true or false, not a string'],
    ['a function', { clock: 5 }, 'SLUICE_OPTION_TYPE', 'clock', 'must be a function, not a number'],
    ['an object', { attributes: [] }, 'SLUICE_OPTION_TYPE', 'attributes', 'must be an object, not an array'],
    [
      'a number',
      { timeoutMillis: '5' },
      'SLUICE_OPTION_TYPE',
      'timeoutMillis',
      'must be an integer from 0 to 60000, not a string; write 5',
    ],
    [
      'too small',
      { timeoutMillis: -1 },
      'SLUICE_OPTION_RANGE',
      'timeoutMillis',
      'must be an integer from 0 to 60000, not -1',
    ],
    [
      'too large',
      { timeoutMillis: Infinity },
      'SLUICE_OPTION_RANGE',
      'timeoutMillis',
      'must be an integer from 0 to 60000, not Infinity',
    ],
    [
      'a fraction',
      { maxQueueSize: 1.5 },
      'SLUICE_OPTION_RANGE',
      'maxQueueSize',
      'must be an integer of 1 or more, or Infinity, not 1.5',
    ],
    [
      'NaN',
      { maxQueueSize: NaN },
      'SLUICE_OPTION_RANGE',
      'maxQueueSize',
      'must be an integer of 1 or more, or Infinity, not NaN',
    ],
    ['a list', { paths: 'a' }, 'SLUICE_OPTION_TYPE', 'paths', 'must be an array, not a string; write ["a"]'],
    ['an item', { paths: ['a', 5] }, 'SLUICE_OPTION_TYPE', 'paths[1]', 'must be a string, not a number'],
    ['a table', { levels: 5 }, 'SLUICE_OPTION_TYPE', 'levels', 'must be an object, not a number'],
    [
      'a string in place of a table',
      { levels: 'notice' },
      'SLUICE_OPTION_TYPE',
      'levels',
      'must be an object, not a string',
    ],
    [
      'a value of a table',
      { levels: { notice: 25 } },
      'SLUICE_OPTION_RANGE',
      'levels.notice',
      'must be an integer from 1 to 24, not 25',
    ],
    ['no alternative', { redact: 'a' }, 'SLUICE_OPTION_TYPE', 'redact', 'must be an array or an object'],
    [
      'a nested option',
      { limits: { depth: 0 } },
      'SLUICE_OPTION_RANGE',
      'limits.depth',
      'must be an integer of 1 or more, or Infinity, not 0',
    ],
    [
      'an unknown option with a similar name',
      { levl: 'info' },
      'SLUICE_OPTION_UNKNOWN',
      'levl',
      'unknown option; did you mean "level"?',
    ],
    [
      'an unknown nested option',
      { limits: { breadth: 1 } },
      'SLUICE_OPTION_UNKNOWN',
      'limits.breadth',
      'unknown option',
    ],
    ['the name of an inherited member', { toString: 1 }, 'SLUICE_OPTION_UNKNOWN', 'toString', 'unknown option'],
  ])('an invalid value is reported with its code and path: %s', (_, options, code, path, message) => {
    expect(problemsOf(options)).toMatchObject([{ code, path, message }])
  })

  test('a hole in an array is reported as an invalid item', () => {
    // oxlint-disable-next-line no-sparse-arrays
    expect(problemsOf({ paths: ['a', , 'b'] }).map(({ path }) => path)).toEqual(['paths[1]'])
  })

  test('problems are reported in the order of the options', () => {
    expect(problemsOf({ clock: 1, name: 2, levle: 3 }, 'o').map(({ path }) => path)).toEqual([
      'o.clock',
      'o.name',
      'o.levle',
    ])
  })

  test.each([
    [null, 'null'],
    [[], 'an array'],
    ['text', 'a string'],
    [5, 'a number'],
  ])('%p is rejected as an options object', (value, type) => {
    expect(problemsOf(value, 'limits')).toEqual([
      { code: 'SLUICE_OPTION_TYPE', path: 'limits', message: `must be an object with options, not ${type}` },
    ])
  })
})

test.each<[unknown, string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  [NaN, 'NaN'],
  [5, 'a number'],
  [1n, 'a bigint'],
  ['hunter2', 'a string'],
  [[], 'an array'],
  [{}, 'an object'],
  [() => {}, 'a function'],
])('typeName returns the type of %p with its article', (value, name) => {
  expect(check.typeName(value)).toBe(name)
})

test.each([
  ['70s', check.integer(0, 60_000), 'timeoutMillis'],
  ['0', check.integer(1), 'maxQueueSize'],
  ['1', check.integer(100), 'rotate.size'],
])('a number that the option does not accept is not suggested for %j', (value, integer, where) => {
  const problems: ConfigurationProblem[] = []
  integer(value, where, problems)
  expect(problems).toMatchObject([{ message: expect.stringMatching(/not a string$/) }])
})

test('an octal number is suggested for the permissions of a file', () => {
  const problems: ConfigurationProblem[] = []
  check.integer(0, 0o7777)('0644', 'mode', problems)
  expect(problems).toMatchObject([{ message: 'must be an integer from 0 to 4095, not a string; write 0o644' }])
})

test('typeName returns "an object" for a revoked proxy', () => {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  expect(check.typeName(proxy)).toBe('an object')
})

test.each<[unknown, string]>([
  ['inof', 'unknown level "inof"; did you mean "info"?'],
  ['loud', 'unknown level "loud"; valid levels are info, warn'],
  ['a secret 1', 'unknown level; valid levels are info, warn'],
  [5, 'unknown level; valid levels are info, warn'],
])('unknownNameMessage describes %p without a value that could be a secret', (name, message) => {
  expect(check.unknownNameMessage('level', name, ['info', 'warn'])).toBe(message)
})

test('a problem with an unknown option lists at most 120 characters of valid options', () => {
  const names = Array.from({ length: 30 }, (_, index) => `option${index + 10}`)
  const problems: ConfigurationProblem[] = []
  check.checkOptions({ z: 1 }, Object.fromEntries(names.map((name) => [name, check.anything])), '', problems)
  const listed = names.slice(0, 12).join(', ')
  expect(new ConfigurationError(problems).message).toBe(
    `SLUICE_CONFIG: z: unknown option; valid options are ${listed}, … (SLUICE_OPTION_UNKNOWN)`,
  )
})

test('the message of a ConfigurationError names the function that was called', () => {
  const name = 5 as unknown as string
  expect(() => createLogger({ name })).toThrow(
    /^SLUICE_CONFIG: createLogger: name: must be a string, not a number \(SLUICE_OPTION_TYPE\)$/,
  )
  expect(() => createLogger({ level: 'silent' }).child({}, { messagePrefix: name })).toThrow(
    /^SLUICE_CONFIG: child: messagePrefix: must be a string/,
  )
  expect(() => defineEvent(name)).toThrow(/^SLUICE_CONFIG: defineEvent: name: must be a string/)
  expect(new ConfigurationError([{ code: 'SLUICE_X', path: 'fdExporter.fd', message: 'is wrong' }]).message).toBe(
    'SLUICE_CONFIG: fdExporter.fd: is wrong (SLUICE_X)',
  )
})

describe('nearest', () => {
  const known = ['level', 'levels', 'limits', 'fd', 'maxQueueSize']
  test.each<[string, string | undefined]>([
    ['level', 'level'],
    ['Level', 'level'],
    ['levle', 'level'],
    ['leve', 'level'],
    ['levelz', 'level'],
    ['limit', 'limits'],
    ['maxqueuesize', 'maxQueueSize'],
    ['maxQueueSzie', 'maxQueueSize'],
    ['df', 'fd'],
    ['ab', undefined],
    ['transport', undefined],
    ['', undefined],
  ])('nearest returns, for %j, the known name %j', (word, meant) => {
    expect(nearestName(word, known)).toBe(meant)
  })
})

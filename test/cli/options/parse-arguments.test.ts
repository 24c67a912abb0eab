// cspell:ignore tial
import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { options } from '../../../src/cli/options/option-table.ts'
import { parseArguments } from '../../../src/cli/options/parse-arguments.ts'
import { UsageError } from '../../../src/cli/options/usage-error.ts'

test('options and files can be in any order', () => {
  const { command, options: parsed, operands } = parseArguments(['a.log', '-f', 'b.log', '--level', 'warn', '-'])
  expect(command).toBe('view')
  expect(operands).toEqual(['a.log', 'b.log', '-'])
  expect([parsed.has('follow'), parsed.value('level')]).toEqual([true, 'warn'])
})

test.each([[['-n', '20']], [['-n20']], [['-n=20']], [['--tail', '20']], [['--tail=20']], [['-fn20']], [['-fn', '20']]])(
  'the value of an option can be given as %j',
  (args) => expect(parseArguments(args).options.value('tail')).toBe('20'),
)

test.each([[['--since', '-3d']], [['--since=-3d']]])('a value can begin with a dash: %j', (args) => {
  expect(parseArguments(args).options.value('since')).toBe('-3d')
})

test('a value can contain an equals sign', () => {
  expect(parseArguments(['--query=a==1']).options.value('query')).toBe('a==1')
})

test('all arguments after -- are files', () => {
  expect(parseArguments(['-f', '--', '-l', 'stats']).operands).toEqual(['-l', 'stats'])
})

test('only the first argument selects a command', () => {
  expect(parseArguments(['stats', 'app.log'])).toMatchObject({ command: 'stats', operands: ['app.log'] })
  expect(parseArguments(['app.log', 'stats'])).toMatchObject({ command: 'view', operands: ['app.log', 'stats'] })
  expect(parseArguments(['./stats'])).toMatchObject({ command: 'view', operands: ['./stats'] })
})

test('the last occurrence of an option counts, and all of a repeatable option', () => {
  const { options: parsed } = parseArguments([
    '-l',
    'warn',
    '-l',
    'error',
    '-q',
    'a',
    '-q',
    'b',
    '-i',
    'x, y',
    '-i',
    'z,',
  ])
  expect(parsed.value('level')).toBe('error')
  expect(parsed.values('query')).toEqual(['a', 'b'])
  expect(parsed.list('include')).toEqual(['x', 'y', 'z'])
})

test.each([
  [['--flow'], 'unknown option --flow; did you mean --follow?'],
  [['--tial', '3'], 'unknown option --tial; did you mean --tail?'],
  [['--unheard'], 'unknown option --unheard; see sluice --help'],
  [['stats', '--unheard'], 'unknown option --unheard; see sluice stats --help'],
  [['-Z'], 'unknown option -Z; see sluice --help'],
  [['-follow'], 'unknown option -follow; did you mean --follow?'],
  [['-fZ'], 'unknown option -Z; see sluice --help'],
  [['-N', '3'], 'unknown option -N; did you mean -n?'],
  [['--tail'], '--tail needs a value: --tail N'],
  [['-n'], '-n needs a value: -n N'],
  [['--tail='], '--tail needs a value: --tail N'],
  [['--follow=yes'], '--follow takes no value; write --follow'],
  [['--output', 'jsn'], "--output has no value 'jsn'; did you mean json?"],
  [['-o', 'xml'], "--output has no value 'xml'; use one of pretty, line, json, raw, logfmt, otlp, csv"],
  [['stats', '-o', 'pretty'], "--output has no value 'pretty'; use one of table, json"],
  [['check', '-f', 'a'], '-f is not an option of sluice check, only of sluice'],
  [['--by', 'level'], '--by is not an option of sluice, only of sluice stats'],
  [['codemod', '-l', 'warn'], '-l is not an option of sluice codemod, only of sluice and sluice stats'],
  [['--__proto__'], 'unknown option --__proto__; see sluice --help'],
])('wrong arguments are named in the error: %j', (args, message) => {
  expect(() => parseArguments(args)).toThrow(new UsageError(message))
})

test('any arguments are either parsed or a UsageError', () => {
  const known = options.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])
  const argument = fc.oneof(
    fc.constantFrom(...known, '--', '-', 'stats'),
    fc.string(),
    fc.string().map((text) => `--${text}`),
  )
  fc.assert(
    fc.property(fc.array(argument), (args) => {
      const error = errorOf(args)
      expect(error === undefined || error instanceof UsageError).toBe(true)
    }),
  )
})

function errorOf(args: readonly string[]): unknown {
  try {
    parseArguments(args)
    return undefined
  } catch (error) {
    return error
  }
}

test('each command has one option for a name and for a letter', () => {
  for (const command of new Set(options.flatMap((option) => option.commands))) {
    const ofCommand = options.filter((option) => option.commands.includes(command))
    const names = ofCommand.map(({ name }) => name)
    const letters = ofCommand.flatMap(({ short }) => short ?? [])
    expect([names.length, letters.length]).toEqual([new Set(names).size, new Set(letters).size])
  }
})

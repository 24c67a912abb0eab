import { afterAll, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { readConfigDocument, type ConfigNode } from '../../../src/otel/configuration-file/config-document.ts'
import { plainScalar, substituteVariables } from '../../../src/otel/configuration-file/substitution.ts'
import { ConfigFiles, configurationErrorsOf } from './config-files.ts'

const files = new ConfigFiles()
afterAll(() => files.remove())

/** The environment of the specification's table. */
const env = {
  STRING_VALUE: 'value',
  BOOL_VALUE: 'true',
  INT_VALUE: '1',
  FLOAT_VALUE: '1.1',
  HEX_VALUE: '0xdeadbeef',
  INVALID_MAP_VALUE: 'value\nkey:value',
  DO_NOT_REPLACE_ME: 'Never use this value',
  REPLACE_ME: '${DO_NOT_REPLACE_ME}',
  VALUE_WITH_ESCAPE: 'value$$',
  EMPTY: '',
}

function read(text: string, variables: Readonly<Record<string, string>> = env): unknown {
  return dataOf(readConfigDocument(files.write(text), variables))
}

function dataOf(node: ConfigNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(dataOf)
  return Object.fromEntries([...node.entries].map(([name, entry]) => [name, dataOf(entry.node)]))
}

// Requirements: CFG1
describe('substitution of references', () => {
  test.each<[input: string, output: unknown]>([
    ['${STRING_VALUE}', 'value'],
    ['${BOOL_VALUE}', true],
    ['${INT_VALUE}', 1],
    ['${FLOAT_VALUE}', 1.1],
    ['${HEX_VALUE}', 3_735_928_559],
    ['"${STRING_VALUE}"', 'value'],
    ['"${BOOL_VALUE}"', 'true'],
    ['"${INT_VALUE}"', '1'],
    ['"${FLOAT_VALUE}"', '1.1'],
    ['"${HEX_VALUE}"', '0xdeadbeef'],
    ['${env:STRING_VALUE}', 'value'],
    ['${INVALID_MAP_VALUE}', 'value\nkey:value'],
    ['foo ${STRING_VALUE} ${FLOAT_VALUE}', 'foo value 1.1'],
    ['${UNDEFINED_KEY}', null],
    ['${UNDEFINED_KEY:-fallback}', 'fallback'],
    ['${REPLACE_ME}', '${DO_NOT_REPLACE_ME}'],
    ['${UNDEFINED_KEY:-${STRING_VALUE}}', '${STRING_VALUE}'],
    ['$${STRING_VALUE}', '${STRING_VALUE}'],
    ['$$${STRING_VALUE}', '$value'],
    ['$$$${STRING_VALUE}', '$${STRING_VALUE}'],
    ['$${STRING_VALUE:-fallback}', '${STRING_VALUE:-fallback}'],
    ['$${STRING_VALUE:-${STRING_VALUE}}', '${STRING_VALUE:-value}'],
    ['${UNDEFINED_KEY:-$${UNDEFINED_KEY}}', '${UNDEFINED_KEY:-${UNDEFINED_KEY}}'],
    ['${VALUE_WITH_ESCAPE}', 'value$$'],
    ['a $$ b', 'a $ b'],
    ['a $ b', 'a $ b'],
    // not in the table of the specification
    ['${EMPTY}', null],
    ['${EMPTY:-1}', 1],
    ['${env:UNDEFINED_KEY:-}', null],
    ["'${INT_VALUE}'", '1'],
    ['|-\n  ${INT_VALUE}', '1'],
    ['!!str ${INT_VALUE}', '1'],
    ['${}', '${}'],
    ['${constructor}', null],
  ])('the value %s is substituted with %j', (input, output) => {
    expect(read(`key: ${input}`)).toEqual({ key: output })
  })

  // Requirements: CFG1
  test('references in property names are not substituted', () => {
    expect(read('${STRING_VALUE}: value')).toEqual({ '${STRING_VALUE}': 'value' })
  })

  // Requirements: CFG3
  test.each(['${STRING_VALUE:?error}', '${1API_KEY}', '${API_$KEY}', '${sys:x}', '${ STRING_VALUE}', '${a-b}'])(
    'the invalid reference %s is reported with its position and without its content',
    (input) => {
      expect(configurationErrorsOf(() => read(`a: 1\nkey:  ${input}`), files)).toEqual([
        expect.stringMatching(/^otel\.yaml:2:7: has an invalid substitution; use \$\{NAME\}, \$\{env:NAME\} or/),
      ])
    },
  )
})

// Requirements: CFG2
test('the value of a variable never creates YAML structure, wherever it is referenced', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'a: b',
      '- x',
      '{a: 1}',
      '[1]',
      '&a x',
      '*a',
      '!!map x',
      '# no',
      '"',
      "'",
      '|',
      '---\nb: 1',
      '<<: x',
    ),
    fc.array(fc.constantFrom('\n', ': ', '- ', '"', '#', '{', '}', '${X}', '$$', 'a')).map((parts) => parts.join('')),
  )
  const places = ['${X}', '"${X}"', "'${X}'", '|-\n  ${X}', 'a${X}b', '"${Y:-${X}"', '["${Z:-1}", "${X}"]']
  fc.assert(
    fc.property(hostile, fc.constantFrom(...places), (value, place) => {
      const result = read(`a: ${place}\nb: end`, { X: value, Y: '' }) as Record<string, unknown>
      expect(Object.keys(result)).toEqual(['a', 'b'])
      expect(result['b']).toBe('end')
      const isList = place.startsWith('[')
      const isScalar = typeof result['a'] !== 'object' || result['a'] === null
      expect(isScalar).toBe(!isList)
      const verbatim = isList || place === '"${X}"'
      expect(verbatim ? result['a'] : undefined).toEqual(verbatim ? (isList ? ['1', value] : value) : undefined)
    }),
    { numRuns: 500 },
  )
})

test('substitution restores escaped dollar signs and does not change other text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(substituteVariables(text.replaceAll('$', '$$$$'), env)).toBe(text)
    }),
  )
})

test.each<[string, unknown]>([
  ['~', null],
  ['NULL', null],
  ['nULL', 'nULL'],
  ['False', false],
  ['yes', 'yes'],
  ['-17', -17],
  ['0o17', 15],
  ['017', 17],
  ['1e3', 1000],
  ['.5', 0.5],
  ['-.INF', -Infinity],
  ['.nan', NaN],
  ['1_000', '1_000'],
  ['12:30', '12:30'],
  ['2026-11-23', '2026-11-23'],
])('the plain scalar %j resolves to %j in the YAML core schema', (text, value) => {
  expect(plainScalar(text)).toEqual(value)
})

import { describe, expect, test } from '@jest/globals'
import { annotationsIn, type Annotation } from '../../scripts/annotations/annotations.ts'
import { callsIn, parseTestFile, type TestCall } from '../../scripts/annotations/test-calls.ts'
import { globSync, readFileSync } from 'node:fs'
import { readTables } from '../../scripts/requirements/tables.ts'

const annotated = (source: string): Annotation[] => annotationsIn('test/a.test.ts', source)
const found = (source: string): string[][] =>
  annotated(source).map(({ title, requirements, faultRows }) => [title].concat(requirements, faultRows.map(String)))

describe('annotations above tests', () => {
  test('a test is annotated by the comment lines directly above it, in any order', () => {
    expect(found("// Fault rows: 4, 12\n// Why.\n// Requirements: A1, B22\ntest('a', () => {})")).toEqual([
      ['a', 'A1', 'B22', '4', '12'],
    ])
  })

  test('the title of an annotated test includes the titles of the enclosing groups', () => {
    const source = "describe('a', () => { describe('b', () => {\n  // Requirements: A1\n  test('c', () => {}) }) })"
    expect(found(source)).toEqual([['a b c', 'A1']])
  })

  test('a group is annotated as a group', () => {
    const source = "// Requirements: A1\ndescribe('a', () => { test('b', () => {}) })"
    expect(annotated(source)).toEqual([
      { path: 'test/a.test.ts', title: 'a', isGroup: true, requirements: ['A1'], faultRows: [] },
    ])
  })

  test('a row of a table is annotated with its own title', () => {
    const source = "test.each([\n  // Requirements: A1\n  ['NaN', NaN],\n  ['b', 1],\n] as const)('%s is %p', () => {})"
    expect(found(source)).toEqual([['NaN is …', 'A1']])
  })

  test('the parts of a title that are not constant are replaced', () => {
    expect(found('// Requirements: A1\ntest(`${a} is ` + "b" + `${c}`, () => {})')).toEqual([['… is b…', 'A1']])
    expect(found("// Requirements: A1\ntest.each(rows)('%j and $name', () => {})")).toEqual([['… and …', 'A1']])
  })

  test.each([
    "const traced = needs('strace', true)\n// Requirements: A1\ntraced('a', () => {}, 30_000)",
    "// Requirements: A1\nneeds('strace', true)('a', () => {})",
    "const linux = isLinux ? test : test.skip\n// Requirements: A1\nlinux('a', () => {})",
    "const both = is ? needs('a', true) : test.skip\n// Requirements: A1\nboth('a', () => {})",
    "// Requirements: A1\ntest.only('a', () => {})",
    "// Requirements: A1\nit('a', () => {})",
  ])('a test is found whatever function defines it: %j', (source) => {
    expect(found(source)).toEqual([['a', 'A1']])
  })

  test.each([
    "// Requirements: A1\ntest.skip('a', () => {})",
    "// Requirements: A1\ntest.todo('a')",
    "// Requirements: A1\ntest.failing('a', () => {})",
    "describe.skip('a', () => {\n// Requirements: A1\ntest('b', () => {}) })",
    "// Requirements: A1\ndescribe('a', () => {})",
  ])('a test that is not expected to pass proves nothing: %j', (source) => {
    expect(found(source)).toEqual([])
  })

  test.each([
    ["// Requirements: A1\nexpect('a').toBe(1)", 'no test is directly below "// Requirements: A1"'],
    ["// Requirements: A1\n\ntest('a', () => {})", 'no test is directly below "// Requirements: A1"'],
    ["// Requirements: A1\n// test('a', () => {})", 'no test is directly below "// Requirements: A1"'],
    ["// Fault rows: 1 to 3\ntest('a', () => {})", '"// Fault rows: 1 to 3" is not a list of ids'],
    ["// Requirements: A1 and A2\ntest('a', () => {})", '"// Requirements: A1 and A2" is not a list of ids'],
  ])('an annotation that is malformed or without a test is an error: %j', (source, message) => {
    expect(() => annotated(source)).toThrow(`test/a.test.ts: ${message}`)
  })
})

test('no title of a test contains the id of a requirement or the number of a fault row', () => {
  const letters = new Set(readTables().flatMap(({ rows }) => rows.map(({ id }) => id.replace(/\d+/, ''))))
  const id = new RegExp(String.raw`\b(?:${[...letters].join('|')})\d+\b|\((?:.*, )?rows? \d`)
  const titlesOf = (call: TestCall): string[] => [
    call.title,
    ...call.rows.flatMap(({ cells }) => cells),
    ...call.inside.flatMap(titlesOf),
  ]
  const paths = globSync('test/**/*.{test,e2e}.ts').filter((path) => !path.startsWith('test/docs/'))
  const titles = paths.flatMap((path) => callsIn(parseTestFile(path, readFileSync(path, 'utf8'))).flatMap(titlesOf))
  expect(titles.length).toBeGreaterThan(2_000)
  expect(titles.filter((title) => id.test(title))).toEqual([])
})

import { expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { codeOf, tableUnder } from './blocks.ts'

const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
const src = new URL('../../src/', import.meta.url)

const firstCells = (heading: string): string[] => tableUnder(heading, page).map(([cell]) => codeOf(cell!))
const codes = [
  'Configuration error codes',
  'Error codes of queries',
  'Error codes of inputs',
  'Diagnostic codes',
].flatMap(firstCells)
const variables = firstCells('Environment variables')

/** Every code and variable in the sources, including those that only comments mention. */
const words = globSync('**/*.ts', { cwd: src }).flatMap(
  (path) => readFileSync(new URL(path, src), 'utf8').match(/\bSLUICE_[A-Z_]*[A-Z]\b/g) ?? [],
)

test('the page has every code and variable of the sources, and no other', () => {
  expect([...codes, ...variables].toSorted()).toEqual([...new Set(words)].toSorted())
})

test('every documented variable is read from the environment, and no error code is', () => {
  const text = globSync('**/*.ts', { cwd: src })
    .map((path) => readFileSync(new URL(path, src), 'utf8'))
    .join('\n')
  const isRead = (name: string): boolean =>
    new RegExp(`(?:reader|env(?:ironment)?), '${name}'|env(?:ironment)?(?:\\.|\\[')${name}\\b`).test(text)
  expect([...codes, ...variables].filter(isRead)).toEqual(variables)
})

test('the README names no code that the page lacks', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const named = readme.match(/\bSLUICE_[A-Z_]*[A-Z]\b/g) ?? []
  expect(named.filter((name) => !codes.includes(name) && !variables.includes(name))).toEqual([])
})

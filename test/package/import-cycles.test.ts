import { describe, expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { importCycles } from '../support/import-cycles.ts'
import { importsOf } from '../support/layers.ts'

const src = new URL('../../src/', import.meta.url)

test('no files in src import each other, not even for types', () => {
  const paths = globSync('**/*.ts', { cwd: src }).map((path) => path.replaceAll('\\', '/'))
  const imports = new Map(paths.map((path) => [path, importsOf(path, readFileSync(new URL(path, src), 'utf8'))]))
  expect(paths).toContain('entries/index.ts')
  expect(importCycles(imports)).toEqual([])
})

function cyclesOf(files: Readonly<Record<string, readonly string[]>>): string[][] {
  return importCycles(new Map(Object.entries(files)))
}

describe('import cycles', () => {
  test('files that import each other through others are one cycle', () => {
    expect(cyclesOf({ a: ['b'], b: ['c'], c: ['b', 'd'], d: ['a'], e: ['a'] })).toEqual([['a', 'b', 'c', 'd']])
  })

  test('each group of files is reported once', () => {
    expect(cyclesOf({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] })).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  test('files that are imported twice or import a missing file are no cycle', () => {
    expect(cyclesOf({ a: ['b', 'c'], b: ['c', 'missing'], c: [] })).toEqual([])
  })

  test('imports of types and dynamic imports count', () => {
    const source = "import type { A } from './a.ts'\nexport type { B } from '../b.ts'\nconst c = await import('./c.ts')"
    expect(importsOf('x/y.ts', source)).toEqual(['x/a.ts', 'b.ts', 'x/c.ts'])
  })
})

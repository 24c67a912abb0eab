import { describe, expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { houseViolations } from '../support/house.ts'

const src = new URL('../../src/', import.meta.url)
const paths = globSync('**/*.ts', { cwd: src }).map((path) => path.replaceAll('\\', '/'))

test('every file in src keeps the rules of the house', () => {
  expect(paths).toContain('index.ts')
  expect(paths.flatMap((path) => houseViolations(path, readFileSync(new URL(path, src), 'utf8')))).toEqual([])
})

describe('imports go down only', () => {
  test.each([
    ['record/a.ts', `import { b } from '../rules/b.ts'`],
    ['rules/a.ts', `import type { B } from '../encode/b.ts'`],
    ['encode/a.ts', `export * from '../pipeline/b.ts'`],
    ['pipeline/a.ts', `export type { B } from '../handler/b.ts'`],
    ['handler/a.ts', `const b = await import('../logger/b.ts')`],
    ['logger/a.ts', `let b: import('../runtime/b.ts').B`],
    ['runtime/a.ts', `import { b } from '../export/b.ts'`],
    ['export/a.ts', `import '../testing/b.ts'`],
    ['testing/a.ts', `import { b } from '../otel/b.ts'`],
    ['http/deep/a.ts', `import { b } from '../../bridges/b.ts'`],
    ['otel/a.ts', `import { b } from '../create-logger.ts'`],
    ['index.ts', `import manifest from '../package.json' with { type: 'json' }`],
    ['drawer/a.ts', ``],
  ])('%s may not: %s', (path, source) => {
    expect(houseViolations(path, source)).toHaveLength(1)
  })

  test.each([
    ['record/a.ts', `import { b } from './b.ts'`],
    ['export/a.ts', `import { b } from '../runtime/b.ts'`],
    ['testing/a.ts', `import { b } from '../record/b.ts'`],
    ['http/adapters/a.ts', `import { b } from '../request-id.ts'`],
    ['exporters.ts', `import { b } from './export/b.ts'; import { c } from './create-logger.ts'`],
  ])('%s may: %s', (path, source) => {
    expect(houseViolations(path, source)).toEqual([])
  })
})

describe('the lower floors do without Node', () => {
  test.each([
    ['record/a.ts', `import { readFileSync } from 'node:fs'`],
    ['rules/a.ts', `import type { Readable } from 'stream'`],
    ['encode/a.ts', `const text = Buffer.from('x').toString()`],
    ['encode/a.ts', `let bytes: Buffer`],
    ['pipeline/a.ts', `const after = typeof process === 'object' ? 1 : 2`],
    ['handler/a.ts', `const pid = globalThis.process?.pid`],
    ['handler/a.ts', `const pid = (globalThis as any)['process'].pid`],
    ['logger/a.ts', `const { process: p } = globalThis`],
    ['logger/a.ts', `const named = { [process.pid]: 1 }`],
    ['logger/a.ts', `const named = { process }`],
    ['create-logger.ts', `process.on('exit', stop)`],
  ])('%s may not: %s', (path, source) => {
    expect(houseViolations(path, source)).toEqual([expect.stringContaining('does without Node')])
  })

  test.each([
    ['record/a.ts', `interface Batch { process(): void }; const key = { process: 1 }.process`],
    ['encode/a.ts', `/** Not a Buffer. */ const word = 'process'`],
    ['runtime/a.ts', `import { pid } from 'node:process'; process.exit(Buffer.byteLength('x'))`],
    ['register.ts', `process.env.SLUICE_LEVEL`],
  ])('%s may: %s', (path, source) => {
    expect(houseViolations(path, source)).toEqual([])
  })
})

describe('OpenTelemetry packages are loaded by otel/ only', () => {
  test.each([
    ['handler/a.ts', `import { trace } from '@opentelemetry/api'`],
    ['handler/a.ts', `import { type Span } from '@opentelemetry/api'`],
    ['export/a.ts', `const api = await import('@opentelemetry/sdk-logs')`],
    ['index.ts', `export { logs } from '@opentelemetry/api-logs'`],
  ])('%s may not: %s', (path, source) => {
    expect(houseViolations(path, source)).toEqual([expect.stringContaining('at run time')])
  })

  test.each([
    ['otel/a.ts', `import { trace } from '@opentelemetry/api'`],
    ['logger/a.ts', `import type { Span } from '@opentelemetry/api'`],
    ['index.ts', `export type { Span } from '@opentelemetry/api'; let a: import('@opentelemetry/api').Span`],
  ])('%s may: %s', (path, source) => {
    expect(houseViolations(path, source)).toEqual([])
  })
})

test('a violation is told with its file and line', () => {
  expect(houseViolations('record/a.ts', `export const a = 1\nimport '../rules/b.ts'\n`)).toEqual([
    'record/a.ts:2 imports ../rules/b.ts, which is not on a lower floor',
  ])
})

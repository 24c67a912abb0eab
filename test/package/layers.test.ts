import { describe, expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { layerViolations } from '../support/layers.ts'

const src = new URL('../../src/', import.meta.url)
const paths = globSync('**/*.ts', { cwd: src }).map((path) => path.replaceAll('\\', '/'))

test('every file in src imports from lower layers only, and uses Node only where it may', () => {
  expect(paths).toContain('entries/index.ts')
  expect(paths.flatMap((path) => layerViolations(path, readFileSync(new URL(path, src), 'utf8')))).toEqual([])
})

describe('imports of lower layers', () => {
  test.each([
    ['record/a.ts', `import { b } from '../redact/b.ts'`],
    ['redact/a.ts', `import type { B } from '../encode/b.ts'`],
    ['encode/a.ts', `export * from '../pipeline/b.ts'`],
    ['pipeline/a.ts', `export type { B } from '../handler/b.ts'`],
    ['handler/a.ts', `const b = await import('../logger/b.ts')`],
    ['logger/a.ts', `let b: import('../platform/node/b.ts').B`],
    ['platform/node/a.ts', `import { b } from '../../exporters/b.ts'`],
    ['platform/edge/a.ts', `import { b } from '../node/b.ts'`],
    ['exporters/a.ts', `import '../testing/b.ts'`],
    ['testing/a.ts', `import { b } from '../otel/b.ts'`],
    ['http/deep/a.ts', `import { b } from '../../compat/b.ts'`],
    ['otel/a.ts', `import { b } from '../create/create-logger.ts'`],
    ['entries/index.ts', `import manifest from '../../package.json' with { type: 'json' }`],
    ['drawer/a.ts', ``],
  ])('layerViolations reports a violation in %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toHaveLength(1)
  })

  test.each([
    ['record/a.ts', `import { b } from './b.ts'`],
    ['exporters/a.ts', `import { b } from '../platform/node/b.ts'`],
    ['testing/a.ts', `import { b } from '../record/b.ts'`],
    ['http/adapters/a.ts', `import { b } from '../request-id.ts'`],
    ['entries/exporters.ts', `import { b } from '../exporters/b.ts'; import { c } from '../create/create-logger.ts'`],
  ])('layerViolations accepts %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toEqual([])
  })
})

describe('use of Node', () => {
  test.each([
    ['record/a.ts', `import { readFileSync } from 'node:fs'`],
    ['redact/a.ts', `import type { Readable } from 'stream'`],
    ['encode/a.ts', `const text = Buffer.from('x').toString()`],
    ['encode/a.ts', `let bytes: Buffer`],
    ['pipeline/a.ts', `const after = typeof process === 'object' ? 1 : 2`],
    ['handler/a.ts', `const pid = globalThis.process?.pid`],
    ['handler/a.ts', `const pid = (globalThis as any)['process'].pid`],
    ['logger/a.ts', `const { process: p } = globalThis`],
    ['logger/a.ts', `const named = { [process.pid]: 1 }`],
    ['logger/a.ts', `const named = { process }`],
    ['create/create-logger.ts', `process.on('exit', stop)`],
    ['platform/edge/a.ts', `process.on('exit', stop)`],
  ])('layerViolations reports a violation in %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toEqual([expect.stringContaining('does not use Node')])
  })

  test.each([
    ['record/a.ts', `interface Batch { process(): void }; const key = { process: 1 }.process`],
    ['encode/a.ts', `/** Not a Buffer. */ const word = 'process'`],
    ['platform/node/a.ts', `import { pid } from 'node:process'; process.exit(Buffer.byteLength('x'))`],
    ['entries/register.ts', `process.env.SLUICE_LEVEL`],
  ])('layerViolations accepts %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toEqual([])
  })
})

describe('imports of OpenTelemetry packages', () => {
  test.each([
    ['handler/a.ts', `import { trace } from '@opentelemetry/api'`],
    ['handler/a.ts', `import { type Span } from '@opentelemetry/api'`],
    ['exporters/a.ts', `const api = await import('@opentelemetry/sdk-logs')`],
    ['entries/index.ts', `export { logs } from '@opentelemetry/api-logs'`],
  ])('layerViolations reports a violation in %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toEqual([expect.stringContaining('at run time')])
  })

  test.each([
    ['otel/a.ts', `import { trace } from '@opentelemetry/api'`],
    ['logger/a.ts', `import type { Span } from '@opentelemetry/api'`],
    ['entries/index.ts', `export type { Span } from '@opentelemetry/api'; let a: import('@opentelemetry/api').Span`],
  ])('layerViolations accepts %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toEqual([])
  })
})

test('a violation names its file and line', () => {
  expect(layerViolations('record/a.ts', `export const a = 1\nimport '../redact/b.ts'\n`)).toEqual([
    'record/a.ts:2 imports ../redact/b.ts, which is not in a lower layer',
  ])
})

import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import { runtimeImportsOf, nodeUses } from '../support/layers.ts'

const root = new URL('../../', import.meta.url)
const sourceOf = (path: string): string => readFileSync(new URL(`src/${path}`, root), 'utf8')

/** Returns all files that an entry loads, directly or indirectly. */
function reachableFrom(entry: string): string[] {
  const reached = new Set([entry])
  for (const path of reached) for (const next of runtimeImportsOf(path, sourceOf(path))) reached.add(next)
  return [...reached]
}

test('no file that sluice/core loads uses Node', () => {
  const reached = reachableFrom('entries/core.ts')
  expect(reached).toEqual(
    expect.arrayContaining(['exporters/fetch/exchange.ts', 'encode/walk/walk.ts', 'lifecycle/attached-exporters.ts']),
  )
  expect(reached.flatMap((path) => nodeUses(path, sourceOf(path)))).toEqual([])
})

test('the check detects a file that loads Node', () => {
  expect(reachableFrom('entries/index.ts').flatMap((path) => nodeUses(path, sourceOf(path)))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^platform\/node\/end-of-turn\.ts:\d+ loads node:timers$/)]),
  )
})

/** Returns the files of a build that a file loads, including itself. */
function filesFrom(entry: string, specifiers: RegExp): string[] {
  const files = new Set([entry])
  for (const file of files) {
    for (const [, specifier] of readFileSync(new URL(file, root), 'utf8').matchAll(specifiers))
      files.add(new URL(specifier!, new URL(file, 'file:///')).pathname.slice(1))
  }
  return [...files]
}

test.each([
  ['esm', 6, /(?:from|import)\s?["'`]([^"'`]+)["'`]/g],
  ['cjs', 7, /\brequire\(["'`]([^"'`]+)["'`]\)/g],
])('sluice/core loads few files, and none of them loads another package (%s)', (format, maxFiles, specifiers) => {
  const files = filesFrom(`dist/${format}/core.js`, specifiers)
  expect(files).toContain(`dist/${format}/shared-core.js`)
  expect(files.length).toBeLessThanOrEqual(maxFiles)
  expect(files.filter((file) => !file.startsWith(`dist/${format}/`))).toEqual([])
})

test('sluice/core logs when only browser globals are available', () => {
  const lines: unknown[] = []
  const write = (line: unknown) => lines.push(line)
  const browser = { debug: write, info: write, warn: write, error: write }
  const names = [
    'setTimeout',
    'clearTimeout',
    'performance',
    'queueMicrotask',
    'TextEncoder',
    'TextDecoder',
    'URL',
    'btoa',
  ]
  const globals = Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name) as unknown]))
  const context = createContext({ ...globals, console: browser })
  const load = (path: string): object => {
    const exports = {}
    const code = readFileSync(new URL(`dist/cjs/${path}`, root), 'utf8')
    const run = new Script(`(function (exports, require) {${code}\n})`).runInContext(context) as (
      exports: object,
      require: (path: string) => object,
    ) => void
    run(exports, load)
    return exports
  }
  const core = load('./core.js') as typeof import('../../src/entries/core.ts')
  const log = core.createLogger({ redact: ['user.pin'] })
  log.child({ requestId: 'r-17' }).warn('{n} left', { n: 1, user: { pin: 'canary' }, more: new Map([['a', 1n]]) })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    level: 'warn',
    message: '1 left',
    attributes: { requestId: 'r-17', n: 1, user: { pin: '[REDACTED]' }, more: { a: '1' } },
  })
})

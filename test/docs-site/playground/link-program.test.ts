import { describe, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { exampleOf, exampleTitles, firstExample } from '../../../docs/site/.vitepress/playground/examples.ts'
import { linkProgram } from '../../../docs/site/.vitepress/playground/worker/link-program.ts'

const folder = new URL('../../../docs/site/.vitepress/playground/examples/', import.meta.url)
const modules = new Map([
  ['sluice', { url: 'blob:1', exportNames: ['createLogger', 'logger', 'defineEvent'] }],
  ['sluice/handlers', { url: 'blob:2', exportNames: ['compose', 'dedupe', 'limit'] }],
])
const end = '\n//# sourceURL=program.js\n'

describe('the imports of a program', () => {
  test('are replaced by the addresses of modules, on the same lines', () => {
    const code = `import { createLogger as create } from 'sluice'
import * as handlers from "sluice/handlers"
export * from 'sluice'
const later = await import('sluice')
console.log("from 'sluice'")`
    expect(linkProgram(code, modules)).toBe(
      `import { createLogger as create } from "blob:1"
import * as handlers from "blob:2"
export * from "blob:1"
const later = await import("blob:1")
console.log("from 'sluice'")${end}`,
    )
  })

  test.each([
    [
      "\nimport x from 'sluice'",
      "'sluice' has no export 'default' in the playground; it has createLogger, logger, defineEvent",
      2,
      8,
    ],
    ["import { logger, withContext } from 'sluice'", "'sluice' has no export 'withContext'", 1, 18],
    ["export { fdExporter } from 'sluice'", "'sluice' has no export 'fdExporter'", 1, 10],
    ["import 'lodash'", "'lodash' cannot be imported here; the modules are sluice, sluice/handlers", 1, 8],
    ['const log = (\n  1 2', 'Unexpected token', 2, 5],
    ['const x: number = 1', 'Unexpected token', 1, 8],
  ])('are rejected with their position in %j', (code, message, line, column) => {
    expect(() => linkProgram(code, modules)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), line, column }),
    )
  })
})

describe('the examples', () => {
  const names = readdirSync(folder).map((file) => file.replace('.js', ''))

  test('have titles, one for each file', () => {
    expect(names.toSorted()).toEqual(Object.keys(exampleTitles).toSorted())
    expect(names).toContain(firstExample)
  })

  test.each(names)('%s has imports that the playground has', (name) => {
    const code = readFileSync(new URL(`${name}.js`, folder), 'utf8')
    expect(linkProgram(code, modules)).not.toContain("from 'sluice")
  })

  test('are selected by the fragment of an address, unless it names another one', () => {
    expect(exampleOf('#example=levels')).toBe('levels')
    for (const fragment of ['', '#example=missing', '#example=constructor', '#levels', '#code=levels'])
      expect(exampleOf(fragment)).toBeUndefined()
  })
})

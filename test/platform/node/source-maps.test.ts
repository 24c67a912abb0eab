import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { importOf, runChild } from '../../support/processes/child.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'

const directory = temporaryDirectory()
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

/** `throw` is in line 7, and in another line after the types are removed. */
const source = `interface Order {
  readonly id: number
}

type Place = (order: Order) => void
export const place: Place = (order: Order): void => {
  throw new Error('no route for ' + order.id)
}
`

beforeAll(() => {
  mkdirSync(directory.path('out'))
  writeFileSync(directory.path('shop.mts'), source)
  const options = ['--ignoreConfig', '--target', 'es2022', '--module', 'esnext', '--inlineSourceMap']
  const roots = ['--rootDir', directory.path(''), '--outDir', directory.path('out')]
  execFileSync(process.execPath, [compiler, ...options, ...roots, directory.path('shop.mts')])
  writeFileSync(
    directory.path('out/app.mjs'),
    `${importOf('{ createLogger }', 'src/create/create-logger.ts')}
    import { place } from './shop.mjs'
    const log = createLogger(JSON.parse(process.argv[2]))
    try { place({ id: 43 }) } catch (error) { log.error('failed', new Error('not placed', { cause: error })) }`,
  )
})

afterAll(() => directory.remove())

/** Returns the stack trace of the record that the program logs. */
async function stackWith(nodeOptions: readonly string[], options: object = {}): Promise<string> {
  const flags = [...nodeOptions, '--disable-warning=ExperimentalWarning']
  const { stdout } = await runChild({ args: [...flags, directory.path('out/app.mjs'), JSON.stringify(options)] })
  const { attributes } = JSON.parse(stdout) as { attributes: Record<string, string> }
  return attributes['exception.stacktrace']!
}

test('stack traces name the compiled file, and with --enable-source-maps the source file', async () => {
  const compiled = readFileSync(directory.path('out/shop.mjs'), 'utf8').split('\n')
  const line = compiled.findIndex((text) => text.includes('throw')) + 1
  expect(line).not.toBe(7)
  expect(await stackWith([])).toContain(`at place (file://${directory.path('out/shop.mjs')}:${line}:11)`)
  const mapped = await stackWith(['--enable-source-maps'])
  expect(mapped).toContain(`at place (${directory.path('shop.mts')}:7:9)`)
  expect(mapped).not.toContain('shop.mjs')
})

test('limits.stackFrames also limits mapped frames, separately for each cause', async () => {
  const stack = await stackWith(['--enable-source-maps'], { limits: { stackFrames: 1 } })
  const [own, cause] = stack.split('Caused by')
  for (const part of [own!, cause!]) expect(part.match(/^ +at /gm)?.length).toBe(1)
  expect(cause).toContain(`${directory.path('shop.mts')}:7:9`)
})

import { expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'

const entry = new URL('../../src/entries/index.ts', import.meta.url).href

/** Runs a program with a logger `log` and returns its standard output, as lines, and its exit code. */
function run(program: string): { readonly lines: readonly string[]; readonly status: number | null } {
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { subscribe } from 'node:diagnostics_channel'
       import { createLogger } from '${entry}'
       const log = createLogger({ clock: () => 0 })
       const say = (text) => log.info(text)
       ${program}`,
    ],
    { encoding: 'utf8' },
  )
  const lines = stdout.split('\n').slice(0, -1)
  return { lines: lines.map((line) => (JSON.parse(line) as { message: string }).message), status }
}

test('an error that a subscriber throws reaches uncaughtException after the log call, not the log call', () => {
  const { lines, status } = run(`
    process.on('uncaughtException', (error) => say('uncaught: ' + error.message))
    subscribe('sluice:record', ({ body }) => { if (body === 'x') throw new Error('mine') })
    say('x')
    say('after the call')`)
  expect(lines).toEqual(['x', 'after the call', 'uncaught: mine'])
  expect(status).toBe(0)
})

test('an error that a subscriber throws ends a process without a listener, and no record is lost', () => {
  const { lines, status } = run(`
    subscribe('sluice:record', () => { throw new Error('mine') })
    say('x')
    say('after the call')`)
  expect(lines).toEqual(['x', 'after the call'])
  expect(status).toBe(1)
})

test('a rejection of an asynchronous subscriber reaches unhandledRejection', () => {
  const { lines } = run(`
    process.on('unhandledRejection', (error) => say('unhandled: ' + error.message))
    subscribe('sluice:record', async ({ body }) => { if (body === 'x') throw new Error('mine') })
    say('x')
    say('after the call')`)
  expect(lines).toEqual(['x', 'after the call', 'unhandled: mine'])
})

test('other subscribers receive a record after one that throws', () => {
  const { lines } = run(`
    process.on('uncaughtException', () => {})
    subscribe('sluice:record', () => { throw new Error('mine') })
    subscribe('sluice:record', ({ body }) => say('received ' + body))
    say('x')`)
  expect(lines).toEqual(['x', 'received x'])
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

const program = fileURLToPath(new URL('uncaught-program.ts', import.meta.url))
const crowd = fileURLToPath(new URL('uncaught-many-loggers.ts', import.meta.url))

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

test.each([
  ['exception', true, 1, ['before']],
  ['exception', false, 0, ['before', 'after']],
  ['rejection', true, 1, ['before']],
  ['rejection', false, 0, ['before', 'after']],
] as const)(
  'an uncaught %s with exitOnError %s exits with code %s after its handler has written it',
  (kind, exitOnError, status, messages) => {
    const file = directory.path(`${kind}-${exitOnError}.log`)
    const run = spawnSync(process.execPath, [program, JSON.stringify({ kind, exitOnError, file })], {
      encoding: 'utf8',
    })
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status, stderr: '' })
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'error',
      [kind]: true,
      message: expect.stringMatching(/^(uncaughtException|unhandledRejection): mine\nTypeError: mine\n {4}at /),
      stack: expect.stringContaining('TypeError: mine'),
      trace: expect.arrayContaining([expect.objectContaining({ line: expect.any(Number) })]),
      process: expect.objectContaining({ pid: expect.any(Number) }),
    })
    const console = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message)
    expect(console.filter((message) => !message.startsWith('unhandledRejection'))).toEqual(messages)
  },
)

test('100 loggers share one listener, and each writes uncaught exceptions and unhandled rejections', () => {
  const run = spawnSync(process.execPath, [crowd, directory.path('crowd-')], { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  expect(JSON.parse(run.stdout)).toEqual({ open: [1, 1], oneLeft: [1, 1], closed: [0, 0] })
  for (const index of [0, 99]) {
    const lines = readFileSync(directory.path(`crowd-${index}`), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      expect.stringMatching(/^uncaughtException: mine\n/),
      expect.stringMatching(/^unhandledRejection: mine too\n/),
    ])
  }
})

import { expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { problemsOfFirstLine } from '../../bench/methods/first-line/check.ts'
import { runProgram } from '../../bench/methods/first-line/run-program.ts'
import { consoleLog } from '../../bench/subjects/console.ts'

const line = JSON.stringify({ time: Date.now(), level: 'info', message: 'the first line' })
const problemsOf = (text: string, took = 20): string[] =>
  problemsOfFirstLine({ took, bytes: Buffer.from(text) }, consoleLog)

test('the check of the first line accepts one complete line with the expected message', () => {
  expect(problemsOf(`${line}\n`)).toEqual([])
})

test.each([
  ['no line', '', '0 lines and 0 bytes for one record'],
  ['a line without a line feed', line, '0 lines and'],
  ['two lines', `${line}\n${line}\n`, '2 lines and'],
  ['half a line', `${line.slice(0, 20)}\n`, 'cannot be read'],
  ['another message', `${line.replace('first', 'last')}\n`, 'the message is "the last line"'],
  ['another level', `${line.replace('info', 'warn')}\n`, 'the level is warn'],
])('the check of the first line rejects %s', (_name, text, due) => {
  expect(problemsOf(text)).toEqual([expect.stringContaining(due)])
})

test('the check of the first line rejects a line that appeared without a change of the file', () => {
  expect(problemsOf(`${line}\n`, NaN)).toEqual(['the line was written without a change of the file'])
})

test('the time of the first line is that of its end, not that of its beginning or of the exit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  try {
    const halves = `process.stdout.write('half')
      setTimeout(() => process.stdout.write(' a line\\n'), 300)
      setTimeout(() => {}, 1_500)`
    const start = performance.now()
    const bench = { folder, signal: new AbortController().signal }
    const variant = { by: 'require', compileCache: false } as const
    const { took, bytes } = await runProgram(halves, folder, variant, join(folder, 'log'), folder, bench)
    const exit = performance.now() - start
    expect(bytes.toString()).toBe('half a line\n')
    expect(took).toBeGreaterThan(290)
    expect(exit - took).toBeGreaterThan(1_000)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('programs that log one line are measured from start to line, with and without a compile cache', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const args = ['--scenario', 'first-line', '--variant', 'import', '--variant', 'require, cached', '--runs', '1']
  const subjects = ['--subject', 'sluice-default', '--subject', 'console']
  const { status, stdout } = spawnSync(process.execPath, ['bench/main.ts', ...args, ...subjects], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stdout.match(/first line +\d+\.\d\d/g)).toHaveLength(2)
  expect(status).toBe(0)
})

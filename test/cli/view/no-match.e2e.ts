import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'

let folder: string

function line(level: string, members: object): string {
  return `${JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', level, message: 'm', attributes: members })}\n`
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-no-match-'))
  writeFileSync(join(folder, 'app.log'), line('info', { req: { url: '/a' } }) + line('audit', { tenant: 'acme' }))
})

afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['req.ulr=/a', ['none of the 2 records has the key req.ulr; did you mean req.url?']],
  ['exists(customer)', ['none of the 2 records has the key customer']],
  ['level=errors', ['none of the 2 records has the level errors; did you mean error?']],
  ['tenants=acme and (usr=1 or not id=2)', ['tenants; did you mean tenant?', 'the key usr', 'the key id']],
  [
    'trace_id=4bf92f35',
    ['trace_id 4bf92f35, because an ID has 32 digits; for its .*, write trace_id like 4bf92f35\\*'],
  ],
  ['span_id=4bf92f3577b34da6', []],
  // These can match other lines.
  ['req.url=/b', []],
  ['level=error', []],
  ['level=audit and tenant=other', []],
  ['customer?=acme and tenant=x', []],
])('a query that matches nothing is explained: %s', async (query, hints) => {
  const { stdout, stderr, code } = await runProgram(['-q', query, 'app.log'], { cwd: folder })
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 })
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual(
    hints.map((hint) => expect.stringMatching(new RegExp(`^sluice: .*${hint.replaceAll('?', String.raw`\?`)}$`))),
  )
})

test('a query that matches something is not explained', async () => {
  const { stderr } = await runProgram(['-q', 'tenants=acme or tenant=acme', 'app.log'], { cwd: folder })
  expect(stderr).toBe('')
})

test('a query of standard input, which can be read only once, is not explained', async () => {
  expect(await runProgram(['-q', 'a=1'], { cwd: folder, input: '{"level":30,"time":1,"msg":"m"}\n' })).toEqual({
    stdout: '',
    stderr: '',
    code: 0,
  })
})

test('a time of --since in the future is named if nothing matches', async () => {
  const { stderr, code } = await runProgram(['--since', '9999-01-01T00:00:00Z', 'app.log'], { cwd: folder })
  expect({ stderr, code }).toEqual({ stderr: 'sluice: --since is in the future: 9999-01-01T00:00:00.000Z\n', code: 0 })
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { CheckOptions } from '../../../src/cli/check/check-options.ts'
import { runCheck } from '../../../src/cli/check/run-check.ts'
import { createTestLogger } from '../../support/files/test-logger.ts'
import { capturedIo } from '../support/command.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-check-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(content: string | Buffer, name = 'app.log'): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

async function check(content: string | Buffer, options: Partial<CheckOptions> = {}) {
  const io = capturedIo()
  const file = fileOf(content)
  const code = await runCheck({ files: [file], ...options }, io)
  return { code, output: io.output.replaceAll(`${folder}/`, ''), errors: io.errors }
}

async function checkJson(content: string | Buffer, options: Partial<CheckOptions> = {}) {
  const { code, output } = await check(content, { ...options, output: 'json' })
  return { code, ...(JSON.parse(output) as { files: { problems: object; examples: object[] }[]; sequence: unknown }) }
}

function line(message: string, attributes: object = {}): string {
  return `${JSON.stringify({ timestamp: '2026-11-21T09:56:03.123Z', level: 'info', message, attributes })}\n`
}

describe('valid files', () => {
  it('are valid if the logger wrote them', async () => {
    const { log, exporter } = createTestLogger()
    log.info('order {id} placed', { id: 1, text: 'a "quote"\n\u001b[31m é 😀', number: 1e21, list: [1.5, -0] })
    log.error('failed', new Error('no route'))
    const { code, output } = await check(exporter.text())
    expect(output).toBe(`app.log: 2 records (sluice), valid

No record reports dropped or cut data.

No problems found.
`)
    expect(code).toBe(0)
  })

  it('can be empty', async () => {
    expect((await check('')).code).toBe(0)
  })

  it('can contain blank lines, stack traces, other formats and any depth of JSON', async () => {
    const deep = `{"level":30,"time":1,"msg":"x","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`
    const trace = 'Error: no\n    at main (file.js:1:2)\n'
    const logfmt = 'time=2026-11-21T09:56:03Z level=info msg="ready" port=8080\n'
    const { code, files } = await checkJson(`${deep}\n\r\n${line('a')}${trace}${logfmt}`)
    expect(files[0]).toMatchObject({ problems: {}, examples: [] })
    expect(code).toBe(0)
  })

  it('can be JSON with spaces, escapes and numbers in other forms', async () => {
    expect((await check('{ "level" : 30, "msg":"\\u0041", "n": 1.0e2, "2": 1, "1": 2, "time": 1.50 }\n')).code).toBe(0)
  })
})

describe('invalid lines', () => {
  const valid = line('valid')
  it.each([
    ['a truncated line', line('abc').slice(0, 30), 'truncated', 31, 'the line ends inside a JSON object'],
    ['two records in a line', line('abc').trim() + line('d').trim(), 'merged lines', 88, 'a second record begins here'],
    [
      'a record inside another one',
      line('abc').slice(0, 60) + line('d').trim(),
      'merged lines',
      61,
      'a second record begins here, before the end of the first',
    ],
    [
      'a record after other text',
      `x: ${line('d').trim()}`,
      'merged lines',
      4,
      'a record begins here, after other text',
    ],
    ['invalid JSON', '{"level":"info",message:1}', 'invalid JSON', 17, 'the JSON is not valid here'],
    ['text after a record', `${line('abc').trim()} x`, 'invalid JSON', 88, 'there is text after the JSON object'],
    [
      'a key that occurs twice',
      '{"level":"info","message":"é","level":"warn"}',
      'duplicate key',
      31,
      'the key "level" occurs twice in one object',
    ],
    ['a lone bracket', ']', 'unknown format', undefined, 'the line is of no known format'],
    ['a JSON object of no known format', '{"a":{}} ', 'unknown format', undefined, 'the line is of no known format'],
    ['NUL bytes', '\0\0\0', 'NUL bytes', 1, 'the line contains NUL bytes'],
  ])('include %s', async (_, text, kind, column, reason) => {
    const { code, files } = await checkJson(`${valid}${text}\n${valid}`)
    expect(files[0]).toMatchObject({
      records: kind === 'duplicate key' ? 3 : 2,
      problems: { [kind]: 1 },
      examples: [column === undefined ? { kind, reason, line: 2 } : { kind, column, reason, line: 2 }],
    })
    expect(code).toBe(1)
  })

  it('include bytes that are not UTF-8, in records and in text', async () => {
    const bad = Buffer.from('{"level":"info","message":"é\xff"}\n', 'latin1')
    const prefix = Buffer.from('{"level":"info","message":"é')
    const { files } = await checkJson(Buffer.concat([prefix, bad.subarray(28), Buffer.from('é\xff\n', 'latin1')]))
    expect(files[0]).toMatchObject({
      problems: { 'invalid UTF-8': 2 },
      examples: [
        { line: 1, column: 29 },
        { line: 2, column: 1 },
      ],
    })
  })

  it('include a last line without a newline', async () => {
    const { code, output } = await check(line('a') + line('b').trim())
    expect(output).toContain('  app.log:2  the last line does not end with a newline\n')
    expect(code).toBe(1)
  })

  it('report a truncated last line once', async () => {
    const { files } = await checkJson(line('a') + line('b').slice(0, 40))
    expect(files[0]!.problems).toEqual({ truncated: 1 })
  })

  it('are listed up to a number, and counted', async () => {
    const { output } = await check('nothing known\n'.repeat(1_000))
    expect(output).toContain('app.log: 0 records, 1,000 invalid lines\n')
    expect(output).toContain('\n  and 990 more: unknown format 1,000\n')
  })

  it('send no control characters of a key or a file name to the terminal', async () => {
    const io = capturedIo()
    const file = fileOf('{"a\\u001b\\u009b31m":1,"a\\u001b\\u009b31m":2,"level":1}\n', 'a\u001b[31m\n.log')
    await runCheck({ files: [file, `${file}\n.missing`], sequence: 'se\u001bq' }, io)
    expect(io.output).toContain('occurs twice')
    expect(io.output.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(io.errors.join('')).not.toMatch(/\p{Cc}/u)
  })
})

describe('unreadable files', () => {
  it('are reported after the others were checked', async () => {
    const io = capturedIo()
    const code = await runCheck({ files: [join(folder, 'missing.log'), fileOf(line('a'))] }, io)
    expect(code).toBe(2)
    expect(io.errors).toEqual([`${join(folder, 'missing.log')}: cannot be read: no such file (ENOENT)`])
    expect(io.output).toContain('app.log: 1 record (sluice), valid')
  })

  it('include a truncated gz file', async () => {
    const compressed = gzipSync(line('a').repeat(1_000))
    const { code, errors } = await check(compressed.subarray(0, compressed.length - 20))
    expect(code).toBe(2)
    expect(errors[0]).toContain('the compressed data ends too early')
  })
})

function numbers(values: readonly unknown[]): string {
  return values.map((seq) => line('x', { seq })).join('')
}

describe('sequences', () => {
  it('are complete without gaps, duplicates and disorder', async () => {
    const { code, output } = await check(numbers([3, 4, 5]), { sequence: 'seq' })
    expect(output).toContain('Sequence seq\n  3 to 5, complete\n')
    expect(code).toBe(0)
  })

  it('report gaps, duplicates and numbers that are out of order', async () => {
    const { code, output } = await check(numbers([1, 2, 5, 9, 4, 2, 9, 'x', 1.5]), { sequence: 'seq' })
    expect(output).toContain(`Sequence seq
  1 to 9, 4 missing, 2 duplicates, 1 out of order
    missing: 3, 6 to 8
    duplicates: 2 (app.log:6), 9 (app.log:7)
    out of order: 4 (app.log:5)
  2 records without a number
`)
    expect(code).toBe(1)
  })

  it.each([
    ['pino', (pid: number, seq: number) => ({ level: 30, time: seq, pid, hostname: 'a', msg: 'x', seq })],
    ['sluice', (pid: number, seq: number) => ({ timestamp: '2026-11-21T09:56:03Z', attributes: { pid, seq } })],
  ])('are separate for each process in lines of %s', async (_, members) => {
    const records = [1, 2].flatMap((seq) => [7, 8].map((pid) => `${JSON.stringify(members(pid, seq))}\n`))
    const { code, sequence } = await checkJson(records.join(''), { sequence: 'seq' })
    const complete = { first: 1, last: 2, missing: 0 }
    expect(sequence).toMatchObject({ isComplete: true, producers: [complete, complete] })
    expect(code).toBe(0)
  })

  it('continue in the next file', async () => {
    const io = capturedIo()
    const files = [fileOf(numbers([1, 2]), 'app.log.1'), fileOf(numbers([3]), 'app.log')]
    expect(await runCheck({ files, sequence: 'seq' }, io)).toBe(0)
    expect(io.output).toContain('1 to 3, complete')
  })

  it('are wrong if no record has a number', async () => {
    const { code, output } = await check(numbers(['a']), { sequence: 'nested.seq' })
    expect(output).toContain('no record has an integer with this key')
    expect(code).toBe(1)
  })
})

describe('reported losses', () => {
  const report = `${JSON.stringify({
    timestamp: '2026-11-21T09:56:03.123Z',
    level: 'warn',
    message: '3 records were dropped',
    'otel.event.name': 'sluice.records_dropped',
    attributes: { dropped: 3, by_reason: { queue_full: 3 }, by_level: { info: 3 } },
  })}\n`

  it('are a problem if records were dropped', async () => {
    const { code, output } = await check(report + report)
    expect(output).toContain('  6 records dropped, in 2 reports\n    by reason: queue_full 6\n    by level: info 6\n')
    expect(code).toBe(1)
  })

  it('are no problem if values were cut, because limits are intended', async () => {
    const { code, output } = await check(line('abc…[+7 characters]'))
    expect(output).toContain('  1 record cut: 7 characters missing\n')
    expect(code).toBe(0)
  })
})

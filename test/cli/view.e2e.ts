// cspell:ignore serach
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runProgram, startProgram, type ProgramOptions } from './run-program.ts'
import { waitUntil } from '../support/wait-until.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
let folder: string

/** Returns a line of the JSON format with a second of 10:00 on 2026-03-01. */
function line(second: number, level: string, message: string, members: object = {}): string {
  const time = `2026-03-01T10:00:${String(second).padStart(2, '0')}.000Z`
  return `${JSON.stringify({ timestamp: time, level, message, ...members })}\n`
}

const lines = [
  line(1, 'info', 'start', { attributes: { tenant: 'a' } }),
  line(2, 'debug', 'detail', { trace_id: trace }),
  line(3, 'error', 'failed', { trace_id: trace, attributes: { tenant: 'b', card: '4111 1111 1111 1111' } }),
  '    at handler (server.js:1:2)\n',
  'plain text about a timeout\n',
  line(5, 'warn', 'slow', { attributes: { tenant: 'a', duration: 12 } }),
  line(6, 'info', 'end'),
]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-view-'))
  writeFileSync(join(folder, 'app.log'), lines.join(''))
  writeFileSync(join(folder, 'app.log.gz'), gzipSync(lines.join('')))
  writeFileSync(join(folder, 'other.log'), line(4, 'info', 'other') + line(0, 'info', 'first'))
})

afterAll(() => rmSync(folder, { recursive: true }))

const run = (args: readonly string[], options?: ProgramOptions) => runProgram(args, { cwd: folder, ...options })
const raw = async (...args: readonly string[]) => (await run(['-o', 'raw', ...args])).stdout
const named = (...messages: readonly string[]): string =>
  lines.filter((text) => messages.some((message) => text.includes(`"${message}"`))).join('')

test('all lines of a file are written unchanged as raw', async () => {
  expect(await run(['-o', 'raw', 'app.log'])).toEqual({ stdout: lines.join(''), stderr: '', code: 0 })
})

test.each([[[]], [['-s']], [['--redact', 'card']], [['-n', '9']], [['-l', 'info']]])(
  'a line with several records is written once as raw: %j',
  async (args) => {
    const records = ['a', '4111 1111 1111 1111'].map((text) => ({ severityNumber: 9, body: { stringValue: text } }))
    const request = `${JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] })}\n`
    const input = request + lines[0] + request + request
    const { stdout } = await run(['-o', 'raw', ...args], { input })
    expect(stdout).toBe(args.includes('--redact') ? input.replaceAll('4111 1111 1111 1111', '[REDACTED]') : input)
  },
)

/** Returns a request of OTLP with a record for each time. */
const request = (...times: readonly number[]): string => {
  const logRecords = times.map((time) => ({ timeUnixNano: `${time}000000`, body: { stringValue: 'x' } }))
  return `${JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })}\n`
}

test('a line with several records is written once as sorted raw lines, at its first record', async () => {
  const text = [request(5, 1, 9), request(2, 8), request(3), request(3)]
  writeFileSync(join(folder, 'otlp.log'), text.join(''))
  expect(await raw('-s', 'otlp.log')).toBe(text.join(''))
  expect(await raw('-s', '--redact', 'card', 'otlp.log')).toBe(text.join(''))
  expect((await run(['-o', 'raw', '-s'], { input: text.toReversed().join('') })).stdout).toBe(text.join(''))
})

test.each([[[]], [['-s']], [['-l', 'error']], [['-n', '9']]])(
  'the byte order mark of a file is written as raw: %j',
  async (args) => {
    const content = '\uFEFF{"level":50,"time":1795254963123,"msg":"x"}\n'
    writeFileSync(join(folder, 'bom.log'), content)
    expect(await raw(...args, 'bom.log')).toBe(content)
    expect((await run(['-o', 'json', ...args, 'bom.log'])).stdout).toMatch(/^\{/)
  },
)

test('the byte order mark of a file is not a character of its first line in other formats than raw', async () => {
  writeFileSync(join(folder, 'bom.log'), '\uFEFFplain\n')
  expect((await run(['-o', 'json', 'bom.log'])).stdout).toBe('{"message":"plain"}\n')
  expect((await run(['-o', 'logfmt', 'bom.log'])).stdout).toBe('msg=plain\n')
})

test('a compressed file and standard input are read as the same records', async () => {
  const { stdout } = await run(['app.log'])
  expect(stdout).toMatch(/^2026-03-01 10:00:01\.000 INFO {2}start {2}tenant=a$/m)
  expect((await run(['app.log.gz'])).stdout).toBe(stdout)
  expect((await run([], { input: lines.join('') })).stdout).toBe(stdout)
  expect((await run(['-'], { input: gzipSync(lines.join('')) })).stdout).toBe(stdout)
})

test('sorted records of text have their columns, as those that are not sorted', async () => {
  const docker = { log: 'of a container\n', stream: 'stdout', time: '2026-03-01T10:00:02Z' }
  const input = `info: of winston {"port":3000}\n2026-03-01T10:00:01Z ERROR failed\n${JSON.stringify(docker)}\n`
  const shown = [
    '---------- --:--:--.--- INFO  of winston  port=3000',
    '2026-03-01 10:00:01.000 ERROR failed',
    '2026-03-01 10:00:02.000       of a container',
    '',
  ].join('\n')
  expect((await run([], { input })).stdout).toBe(shown)
  writeFileSync(join(folder, 'text.log'), input)
  expect((await run(['-s', 'text.log'])).stdout).toBe(shown)
})

test('a trace is found by its decimal and its hexadecimal ID in lines of Datadog and of other loggers', async () => {
  const id = '4bf92f3577b34da6b7ad6b7169203331'
  const input = [
    '{"level":30,"time":1795254963123,"dd":{"trace_id":"13235353014750950193"},"msg":"decimal"}\n',
    '{"dd.trace_id":13235353014750950193,"level":"info","msg":"number","time":"2026-11-21T09:56:03Z"}\n',
    '{"level":30,"time":1795254963123,"trace_id":"b7ad6b7169203331","msg":"64 bits"}\n',
    `{"level":30,"time":1795254963123,"trace_id":"${id}","msg":"128 bits"}\n`,
    '{"level":30,"time":1795254963123,"dd":{"trace_id":"13235353014750950194"},"msg":"other"}\n',
    '{"level":30,"time":1795254963123,"msg":"none"}\n',
  ]
  for (const [text, count] of [
    ['13235353014750950193', 3],
    ['b7ad6b7169203331', 3],
    [id, 4],
  ] as const)
    expect((await run(['-o', 'raw', '--trace', text], { input: input.join('') })).stdout).toBe(
      input.slice(0, count).join(''),
    )
})

test.each([
  [
    ['-l', 'warn'],
    ['failed', 'slow'],
  ],
  [['-l', 'e'], ['failed']],
  [
    ['-q', 'tenant=a'],
    ['start', 'slow'],
  ],
  [['-q', 'tenant=a', '-q', 'level>=warn'], ['slow']],
  [
    ['--trace', '0AF76519'],
    ['detail', 'failed'],
  ],
  [
    ['--trace', '0af76519-16cd-43dd-8448-eb211c80319c'],
    ['detail', 'failed'],
  ],
  [['--trace', trace, '-l', 'error'], ['failed']],
  [
    ['--trace-of', 'level=error'],
    ['detail', 'failed'],
  ],
  [
    ['--since', '2026-03-01T10:00:05Z'],
    ['slow', 'end'],
  ],
  [['--until', '2026-03-01T10:00:02Z'], ['start']],
  [['--since', '2026-03-01T10:00:02Z', '--until', '2026-03-01T10:00:03Z'], ['detail']],
])('%j selects records', async (args, messages) => {
  const stackFrame = messages.includes('failed') ? lines[3]! : ''
  const expected = named(...messages).replace(lines[2]!, `${lines[2]}${stackFrame}`)
  expect(await raw(...args, 'app.log')).toBe(expected)
})

test('a query finds lines of no known format by their text', async () => {
  expect(await raw('-q', "'timeout'", 'app.log')).toBe(lines[4])
})

test('-n shows the last records, also of several files and after a filter', async () => {
  expect(await raw('-n', '2', 'app.log')).toBe(named('slow', 'end'))
  expect(await raw('-n', '1', '-l', 'error', 'app.log', 'app.log.gz')).toBe(lines[2]! + lines[3]!)
  expect(await raw('-n0', 'app.log')).toBe('')
})

test('-C, -A and -B show records around a match, and a separator between groups', async () => {
  expect(await raw('-q', 'message=detail', '-C1', 'app.log')).toBe(lines.slice(0, 4).join(''))
  expect(await raw('-q', 'message=slow', '-B', '1', 'app.log')).toBe(lines.slice(4, 6).join(''))
  expect(await raw('-q', 'message=slow', '-A', '1', 'app.log')).toBe(lines.slice(5).join(''))
  const { stdout } = await run(['-o', 'line', '-q', 'message in (start, end)', '-A1', 'app.log'])
  expect(stdout.split('\n').map((text) => text.replace(/^[\d :.-]+ [A-Z]+ +| {2}.*/g, ''))).toEqual([
    'start',
    'detail',
    '--',
    'end',
    '',
  ])
})

test('-s sorts the records of several files by time', async () => {
  const { stdout } = await run(['-s', '-o', 'json', '-q', 'exists(time)', 'app.log', 'other.log'])
  const messages = stdout
    .split('\n')
    .flatMap((text) => (text === '' ? [] : [(JSON.parse(text) as { message: string }).message]))
  expect(messages).toEqual(['first', 'start', 'detail', 'failed', 'other', 'slow', 'end'])
})

test('-i and -x show and hide attributes', async () => {
  expect((await run(['-q', 'message=slow', '-i', 'tenant', 'app.log'])).stdout).toMatch(/slow {2}tenant=a\n$/)
  expect((await run(['-q', 'message=slow', '-x', 'tenant', 'app.log'])).stdout).toMatch(/slow {2}duration=12\n$/)
})

test('--map reads fields from other keys', async () => {
  const input = `${JSON.stringify({ at: '2026-03-01T10:00:00Z', sev: 'ERROR', text: 'mapped' })}\n`
  const { stdout } = await run(['--map', 'time=at,level=sev', '--map', 'message=text', '-l', 'error'], { input })
  expect(stdout).toMatch(/10:00:00\.000 ERROR mapped\n$/)
})

test('--redact hides secrets in the output', async () => {
  const { stdout } = await run(['--redact', 'card,jwt', 'app.log'])
  expect(stdout).not.toContain('4111')
})

test.each([
  [['-l', 'fatal', 'app.log'], 0],
  [['-l', 'fatal', '--exit-code', 'app.log'], 1],
  [['-l', 'error', '--exit-code', 'app.log'], 0],
  [['-l', 'error', '--exit-code', 'app.log', 'missing.log'], 2],
])('the exit code for %j is %d', async (args, code) => {
  expect((await run(args)).code).toBe(code)
})

test('a missing file is named, and the other files are shown', async () => {
  const { stdout, stderr, code } = await run(['-o', 'raw', 'other.log', 'missing.log', 'app.log'])
  expect(stdout.endsWith(lines.join(''))).toBe(true)
  expect(stderr).toBe('sluice: missing.log: cannot be read: no such file (ENOENT)\n')
  expect(code).toBe(2)
})

test('a file that has the name of a command of another program is shown', async () => {
  writeFileSync(join(folder, 'tail'), lines[0]!)
  expect(await run(['-o', 'raw', 'tail'])).toEqual({ stdout: lines[0], stderr: '', code: 0 })
  rmSync(join(folder, 'tail'))
})

test.each([
  [['-s', '-f', 'app.log'], '--sort cannot be combined with --follow; --sync-window merges followed files by time'],
  [['--trace-of', 'a=1', '-f'], '--trace-of cannot be combined with --follow; it reads all files twice'],
  [['--sync-window', '1s'], '--sync-window needs --follow; --sort sorts files that are complete'],
  [['-C', '1'], '--context needs an option that selects records, such as --query or --level'],
  [['-o', 'raw', '-i', 'a'], '--include has no effect on -o raw, which writes lines unchanged'],
  [['--since', 'now', '--until', '-1h'], '--since must be before --until'],
  [['--redact', 'cards'], "--redact: unknown pattern 'cards'; did you mean card?"],
  [
    ['--time', 'Mars/Base'],
    "--time: unknown time zone 'Mars/Base'; use local, utc, iso, relative or a name such as Europe/Berlin",
  ],
  [['stat', 'app.log'], "there is no command or file 'stat'; did you mean sluice stats?"],
  [['tail', 'app.log'], "there is no command or file 'tail'; did you mean sluice -f FILE?"],
  [['serach', 'app.log'], "there is no command or file 'serach'; did you mean sluice -q EXPR FILE?"],
  [['--color', 'always', 'stats', 'app.log'], 'write the command before the options: sluice stats …'],
  [['-f', '.'], '.: a directory is not followed; write ./*.log'],
  [
    ['help', 'nothing'],
    "help: there is no command 'nothing'; use one of stats, check, ui, level, codemod, completions, help",
  ],
])('wrong options are one line and the exit code 2: %j', async (args, message) => {
  expect(await run(args)).toEqual({ stdout: '', stderr: `sluice: ${message}\n`, code: 2 })
})

test.each([[['stats', '--help']], [['--help', 'stats']], [['help', 'stats']], [['stats', 'a.log', '-h']]])(
  'the help of stats is shown by %j',
  async (args) => {
    const { stdout, code } = await run(args)
    expect([stdout.slice(0, 19), code]).toEqual(['Usage: sluice stats', 0])
  },
)

test('an error in a query is shown below the query', async () => {
  const { stderr, code } = await run(['-q', 'level>=warn and', 'app.log'])
  expect(stderr).toMatch(/^sluice: --query: expected .*\nlevel>=warn and\n {15}\^\n$/)
  expect(code).toBe(2)
})

test('records of a running program are shown before it ends', async () => {
  const child = startProgram(['-o', 'raw'], { cwd: folder })
  let seen = ''
  child.stdout.on('data', (part: Buffer) => (seen += part.toString()))
  child.stdin.write(lines[0])
  await waitUntil(() => seen === lines[0])
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
})

test('-f shows the last records and new ones until Ctrl-C, which exits with 130', async () => {
  const path = join(folder, 'followed.log')
  writeFileSync(path, lines.join(''))
  const child = startProgram(['-f', '-n1', '-o', 'raw', path])
  let seen = ''
  child.stdout.on('data', (part: Buffer) => (seen += part.toString()))
  await waitUntil(() => seen === named('end'))
  appendFileSync(path, lines[0]!)
  await waitUntil(() => seen === named('end') + lines[0]!)
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([130, null])
})

test('-f reports a directory, and follows the other files', async () => {
  const child = startProgram(['-f', '-n1', '-o', 'raw', folder, 'app.log'], { cwd: folder })
  let [seen, errors] = ['', '']
  child.stdout.on('data', (part: Buffer) => (seen += part.toString()))
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  await waitUntil(() => seen === named('end'))
  expect(errors).toBe(`sluice: ${folder}: a directory is not followed; write ${folder}/*.log\n`)
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([2, null])
})

test('-f merges several files by time', async () => {
  const [first, second] = [join(folder, 'merge-1.log'), join(folder, 'merge-2.log')]
  writeFileSync(first, '')
  writeFileSync(second, '')
  const child = startProgram(['-f', '-o', 'raw', '--sync-window', '2s', first, second])
  let seen = ''
  child.stdout.on('data', (part: Buffer) => (seen += part.toString()))
  // Written until it is seen, because the program opens the files at some time.
  appendFileSync(first, lines[5]!)
  appendFileSync(second, lines[0]!)
  await waitUntil(() => seen.includes(lines[5]!))
  expect(seen).toBe(lines[0]! + lines[5]!)
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([130, null])
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync, appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { outputFormats } from '../../src/output/output.ts'
import { runProgram, startProgram } from './run-program.ts'
import { waitUntil } from '../support/wait-until.ts'

const before = '{"level":"info","time":1772359200000,"msg":"before"}\n'
const after = '{"level":"info","time":1772359201000,"msg":"after"}\n'
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-bad-input-'))
  writeFileSync(join(folder, 'good.log'), after)
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Lines that no reader may fail on, between two good ones. */
const badLines: readonly (readonly [string, string | Uint8Array])[] = [
  ['a NUL', 'a\0b\n'],
  ['invalid UTF-8', Uint8Array.of(0xff, 0xfe, 0x80, 0xc3, 10)],
  [
    'invalid UTF-8 in JSON',
    Buffer.concat([Buffer.from('{"level":"info","msg":"'), Uint8Array.of(0xc3, 0x28), Buffer.from('"}\n')]),
  ],
  ['a lone bracket', ']\n'],
  ['an unfinished object', '{"level":"info","msg":"x\n'],
  ['20,000 levels of arrays', `${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
  ['20,000 levels of objects', `{"level":"info","msg":"deep","a":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}\n`],
  ['members of prototypes', '{"__proto__":{"level":"x"},"constructor":1,"toString":2,"level":"info","msg":"proto"}\n'],
  ['control characters', '\u001b]0;title\u0007\u001b[2J\u009b31m\n'],
]

/** All short bad lines, each between two good ones. */
const shortBadLines = Buffer.concat(
  badLines.flatMap(([name, bad]) => {
    const good = (side: string): Buffer =>
      Buffer.from(`${JSON.stringify({ level: 'info', time: 1_772_359_200_000, msg: `${side} ${name}.` })}\n`)
    return [good('before'), Buffer.from(bad), good('after')]
  }),
)

test.each(outputFormats)('bad lines do not hide their neighbors in the format %s', async (format) => {
  const { stdout, stderr, code } = await runProgram(['-o', format, '-'], { input: shortBadLines })
  expect([code, stderr]).toEqual([0, ''])
  for (const [name] of badLines) {
    expect(stdout.split(`before ${name}.`)).toHaveLength(2)
    expect(stdout.split(`after ${name}.`)).toHaveLength(2)
  }
})

test('a line of 64 MiB does not hide its neighbors in any format', async () => {
  const path = join(folder, 'bad.log')
  writeFileSync(path, `${before}{"level":"info","msg":"${'x'.repeat(64 * 1_048_576)}"}\n${after}`)
  for (const format of outputFormats) {
    const { stdout, stderr, code } = await runProgram(['-o', format, path])
    expect([format, code, stderr]).toEqual([format, 0, ''])
    expect(stdout.slice(0, 2_000)).toContain('before')
    expect(stdout.slice(-2_000)).toContain('after')
  }
}, 120_000)

test('a truncated gzip file is shown as far as it can be read, and named', async () => {
  const path = join(folder, 'cut.log.gz')
  const whole = gzipSync(before.repeat(50_000) + after.repeat(50_000))
  writeFileSync(path, whole.subarray(0, whole.length - 50))
  const { stdout, stderr, code } = await runProgram(['-o', 'raw', path, join(folder, 'good.log')])
  expect(stdout.startsWith(before.repeat(50_000))).toBe(true)
  expect(stdout.endsWith(after)).toBe(true)
  expect(stderr).toMatch(/^sluice: .*cut\.log\.gz: cannot be read to its end: the compressed data ends too early/)
  expect(code).toBe(2)
}, 30_000)

test('a directory is named, and the other files are shown', async () => {
  mkdirSync(join(folder, 'directory'))
  const { stdout, stderr, code } = await runProgram(['-o', 'raw', join(folder, 'directory'), join(folder, 'good.log')])
  expect([stdout, code]).toEqual([after, 2])
  expect(stderr).toMatch(/^sluice: .*directory: cannot be read: it is a directory \(EISDIR\)\n$/)
})

test('a named pipe without a writer is awaited, and ended by Ctrl-C', async () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const child = startProgram(['-o', 'raw', path])
  let seen = ''
  child.stdout.on('data', (part: Buffer) => (seen += part.toString()))
  const writer = spawn('sh', ['-c', `sleep 0.5; printf '%s' '${before}' > ${path}`])
  await waitUntil(() => seen === before)
  expect(await once(child, 'close')).toEqual([0, null])
  expect(writer.exitCode).toBe(0)

  const waiting = startProgram([path])
  await new Promise((resolve) => setTimeout(resolve, 500))
  waiting.kill('SIGINT')
  expect(await once(waiting, 'close')).toEqual([null, 'SIGINT'])
})

test('a file that shrinks while it is followed is read again from its start', async () => {
  const path = join(folder, 'shrinks.log')
  writeFileSync(path, before.repeat(3))
  const child = startProgram(['-f', '-o', 'raw', path])
  let seen = ''
  child.stdout.on('data', (part: Buffer) => (seen += part.toString()))
  await waitUntil(() => seen === before.repeat(3))
  truncateSync(path)
  appendFileSync(path, after)
  await waitUntil(() => seen === before.repeat(3) + after)
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([130, null])
})

test.each([['pretty'], ['raw'], ['otlp']])('`| head -1` ends with 0 and without a message: %s', async (format) => {
  const path = join(folder, 'long.log')
  writeFileSync(path, before.repeat(100_000))
  const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const command = `"${process.execPath}" "${program}" -o ${format} "${path}" | head -1; echo "codes \${PIPESTATUS[@]}"`
  const child = spawn('bash', ['-c', command])
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(stdout).toMatch(/^.*before.*\ncodes 0 0\n$/)
  expect(stderr.replace(/^.*ExperimentalWarning.*\n.*\n/, '')).toBe('')
})

test('the help ends without a message if its reader has closed the pipe', async () => {
  const child = startProgram(['--help'])
  child.stdout.destroy()
  expect([await text(child.stderr), await once(child, 'close')]).toEqual(['', [0, null]])
})

test('a regular expression that backtracks is ended and named', async () => {
  const input = `${JSON.stringify({ level: 'info', msg: `${'a'.repeat(40)}!` })}\n`
  const { stderr, code } = await runProgram(['-q', "message~'(a+)+$'"], { input: before + input })
  expect(stderr).toMatch(/^sluice: .*the regular expression \/\(a\+\)\+\$\/ exceeded 1000 ms/)
  expect(code).toBe(2)
}, 20_000)

test.each([
  ['a file', '-o raw grows.log good.log'],
  ['a file that is followed', '-f grows.log'],
  ['the standard input', '-s -o raw good.log - < grows.log'],
])('%s that is also the output is named and not read, as it would grow endlessly', async (_, args) => {
  writeFileSync(join(folder, 'grows.log'), before.repeat(1_000))
  const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning "${program}" ${args} >> grows.log`
  const child = spawn('bash', ['-c', `ulimit -f 1000; ${command}`], { cwd: folder, timeout: 20_000 })
  const [stderr, ended] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect(stderr).toMatch(/^sluice: (?:grows\.log|-): it is also the output, so it is not read\n$/)
  expect(ended).toEqual([2, null])
  const added = args.includes('good.log') ? after : ''
  expect(readFileSync(join(folder, 'grows.log'), 'utf8')).toBe(before.repeat(1_000) + added)
})

test.each([
  ['sorts a compressed file', '-s -o raw late.log.gz', ''],
  ['stores standard input for --trace-of', "-o raw --trace-of 'level=info' -", '< late.log'],
])('a full disk for the temporary file that %s is reported, with the folder', async (_, args, input) => {
  const lines = after.repeat(40_000) + before.repeat(40_000)
  writeFileSync(join(folder, 'late.log'), lines)
  writeFileSync(join(folder, 'late.log.gz'), gzipSync(lines))
  const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning "${program}" ${args} ${input}`
  const child = spawn('bash', ['-c', `ulimit -f 100; ${command}`], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder },
    timeout: 20_000,
  })
  child.stdout.resume()
  const [stderr, ended] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect(stderr).toMatch(/^sluice: .*cannot write a temporary file in .*sluice-bad-input-.* \(EFBIG\)/)
  expect(ended).toEqual([2, null])
})

test('the files of -s are all read if fewer can be open at once', async () => {
  const names = Array.from({ length: 80 }, (_, index) => `many-${index}.log`)
  for (const name of names) writeFileSync(join(folder, name), after)
  const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning "${program}" -s -o raw ${names.join(' ')}`
  const child = spawn('bash', ['-c', `ulimit -n 40; ${command}`], { cwd: folder, timeout: 20_000 })
  const [stdout, stderr, ended] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect([stderr, ended]).toEqual(['', [0, null]])
  expect(stdout).toBe(after.repeat(80))
})

test('a full disk is reported', async () => {
  const child = spawn(
    'bash',
    [
      '-c',
      `"${process.execPath}" "$0" good.log > /dev/full`,
      fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url)),
    ],
    { cwd: folder },
  )
  const [stderr, ended] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect(stderr).toMatch(/^sluice: standard output: ENOSPC/m)
  expect(ended).toEqual([2, null])
})

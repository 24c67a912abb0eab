import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { readLineChunks } from '../../../src/read/input/read-line-chunks.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { importOf } from '../../support/processes/child.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { collect } from './collect.ts'

let directory: TemporaryDirectory
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => directory.remove())

/** Reads inputs one after the other, and writes their texts and problems as JSON, and then the greatest memory use in bytes. */
const program = `
${importOf('{ readLineChunks }', 'src/read/input/read-line-chunks.ts')}
${importOf('{ peakMemory }', 'test/support/processes/peak-memory.ts')}
for (const file of process.argv.slice(1)) {
  let length = 0
  let text = ''
  const problems = []
  for await (const { bytes } of readLineChunks(file, { onInputError: (file, message) => problems.push(message) })) {
    length += bytes.length
    if (bytes.length < 1000) text += bytes
  }
  console.log(JSON.stringify({ length, text, problems, memory: peakMemory() }))
}
`

interface Input {
  readonly length: number
  readonly text: string
  readonly problems: readonly string[]
  readonly memory: number
}

async function run(
  files: readonly string[],
  { input = '', shell }: { readonly input?: string | Uint8Array; readonly shell?: string } = {},
): Promise<Input[]> {
  const node = [process.execPath, '--input-type=module', '--eval', program, ...files]
  const [command, ...args] = shell === undefined ? node : ['bash', '-c', shell, 'bash', ...node]
  const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) output += text
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Input)
}

describe('readLineChunks of standard input and pipes', () => {
  it('reads standard input once, and finds it empty the second time', async () => {
    const inputs = await run(['-', '-'], { input: 'a\nb' })
    expect(inputs).toMatchObject([
      { text: 'a\nb', problems: [] },
      { text: '', problems: [] },
    ])
  })

  it('decompresses standard input', async () => {
    expect(await run(['-'], { input: gzipSync('a\nb\n') })).toMatchObject([{ text: 'a\nb\n', problems: [] }])
    expect(await run(['-'], { input: zstdCompressSync('a\nb\n') })).toMatchObject([{ text: 'a\nb\n', problems: [] }])
  })

  it('continues a file of standard input where the process before has stopped', async () => {
    writeFileSync(directory.path('a.log'), 'first\nsecond\nthird\n')
    const shell = `(dd bs=1 count=6 of=/dev/null 2>/dev/null; "$@") < ${directory.path('a.log')}`
    expect(await run(['-'], { shell })).toMatchObject([{ text: 'second\nthird\n', problems: [] }])
  })

  it('reads a process substitution, whose writer may have ended already', async () => {
    const shell = '"$@" <(echo a) <(sleep 0.2; echo b)'
    expect(await run([], { shell })).toMatchObject([{ text: 'a\n' }, { text: 'b\n' }])
  })

  it('returns the lines of a pipe as they arrive', async () => {
    const path = directory.path('pipe')
    execFileSync('mkfifo', [path])
    const chunks = readLineChunks(path)
    const first = chunks.next()
    const writer = openSync(path, 'w')
    writeSync(writer, 'a\nincomplete')
    expect((await first).value!.bytes.toString()).toBe('a\n')
    writeSync(writer, ' line\nend')
    closeSync(writer)
    expect((await chunks.next()).value!.bytes.toString()).toBe('incomplete line\n')
    expect((await chunks.next()).value).toMatchObject({ bytes: Buffer.from('end'), firstLine: 3, isEnd: true })
  })

  it('does not block other inputs while a named pipe has no writer, and can be ended meanwhile', async () => {
    const paths = Array.from({ length: 8 }, (_, index) => directory.path(`pipe${index}`))
    execFileSync('mkfifo', paths)
    const pipes = paths.map((path) => readLineChunks(path))
    const waiting = pipes.map((pipe) => pipe.next())
    writeFileSync(directory.path('a.log'), gzipSync('a\n'))
    // Decompression needs the thread pool, which blocking calls would occupy.
    const { text } = await collect((onInputError) => readLineChunks(directory.path('a.log'), { onInputError }))
    expect(text).toBe('a\n')
    await Promise.all(pipes.map((pipe) => pipe.return!()))
    expect(await Promise.all(waiting)).toMatchObject(paths.map(() => ({ value: { isEnd: true } })))
  })

  // The timer of the program runs only if nothing blocks.
  it('is ended by SIGINT while a named pipe has no writer', async () => {
    execFileSync('mkfifo', [directory.path('pipe')])
    const text = `process.on('SIGINT', () => process.exit(7));setTimeout(() => console.log('ready'), 20);${program}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', text, directory.path('pipe')])
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (data: string) => (output += data))
    await waitUntil(() => output.includes('ready'), 20_000)
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGINT')
    expect(await ended).toBe(7)
  })

  it('reads devices and files of procfs', async () => {
    expect(await run(['/dev/null', '/proc/version'])).toMatchObject([
      { length: 0, problems: [] },
      { text: expect.stringMatching(/^Linux/), problems: [] },
    ])
  })

  it('reads a line of 64 MiB in a file and in a pipe with memory for it, and the lines around it', async () => {
    const line = 64 * 1_048_576
    writeFileSync(directory.path('a.log'), `a\n${'x'.repeat(line)}\nb\n`)
    const shell = `"$@" < <(cat ${directory.path('a.log')})`
    for (const input of [...(await run([directory.path('a.log')])), ...(await run(['-'], { shell }))]) {
      expect(input).toMatchObject({ length: line + 5, problems: [] })
      expect(input.memory).toBeLessThan(150e6 + 4 * line)
    }
  })

  it('reports a file without permission to read it', async () => {
    writeFileSync(directory.path('a.log'), 'a\n')
    chmodSync(directory.path('a.log'), 0)
    // Root may read every file.
    const shell = process.getuid!() === 0 ? 'setpriv --reuid 65534 --clear-groups "$@"' : '"$@"'
    chmodSync(directory.path('.'), 0o755)
    const [input] = await run([directory.path('a.log')], { shell })
    expect(input!.problems).toEqual(['cannot be read: permission denied (EACCES)'])
  })
})

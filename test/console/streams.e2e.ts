import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { importOf, runModule } from '../support/processes/child.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

const captured = importOf('{ captureConsole }', 'src/entries/console.ts') + 'const capture = captureConsole()\n'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const alternating = `${captured}
for (let i = 0; i < 30_000; i++) {
  if (i % 3 === 0) console.error('line ' + i)
  else if (i % 3 === 1) console.log('line ' + i)
  else console.info('line ' + i)
  if (i % 5_000 === 0) await new Promise(setImmediate)
}`
const inOrder = Array.from({ length: 30_000 }, (_, i) => `line ${i}\n`).join('')

describe('standard output and error with the same destination', () => {
  test('lines keep the order of the calls in a file', async () => {
    const path = directory.path('both')
    const fd = openSync(path, 'a')
    await runModule(alternating, { stdio: ['ignore', fd, fd] })
    closeSync(fd)
    expect(readFileSync(path, 'utf8')).toBe(inOrder)
  })

  test('lines keep the order of the calls in a file that was opened twice', async () => {
    const path = directory.path('twice')
    const fds = [openSync(path, 'a'), openSync(path, 'a')]
    await runModule(alternating, { stdio: ['ignore', ...fds] as ['ignore', number, number] })
    fds.forEach((fd) => closeSync(fd))
    expect(readFileSync(path, 'utf8')).toBe(inOrder)
  })

  test('lines keep the order of the calls in a pipe', async () => {
    const { fd, read, close } = stallingPipe(directory.path('pipe'))
    let text = ''
    const reading = setInterval(() => (text += read()), 1)
    await runModule(alternating, { stdio: ['ignore', fd, fd] })
    clearInterval(reading)
    for (let part = read(); part !== ''; part = read()) text += part
    close()
    expect(text).toBe(inOrder)
  })
})

const isError = (_: string, index: number): boolean => index % 3 === 0

test('standard output and error with different destinations each keep the order of their calls', async () => {
  const { stdout, stderr } = await runModule(alternating)
  const lines = inOrder.split('\n').slice(0, -1)
  expect(stderr.split('\n').slice(0, -1)).toEqual(lines.filter(isError))
  expect(stdout.split('\n').slice(0, -1)).toEqual(lines.filter((line, index) => !isError(line, index)))
})

/** Runs a program whose standard output is not read until its standard error contains `until`. */
async function stalled(text: string, until: string): Promise<{ stdout: string; stderr: string }> {
  const pipe = stallingPipe(directory.path(`stalled-${until}`))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    stdio: ['ignore', pipe.fd, 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let stderr = ''
  let stdout = ''
  let reading: NodeJS.Timeout | undefined
  child.stderr!.setEncoding('utf8').on('data', (part: string) => {
    stderr += part
    if (stderr.includes(until)) reading ??= setInterval(() => (stdout += pipe.readAll()), 1)
  })
  await new Promise((resolve) => child.once('close', resolve))
  clearInterval(reading)
  stdout += pipe.readAll()
  pipe.close()
  return { stdout, stderr }
}

test('standard output that is not read does not delay standard error, and loses no lines that fit in the queue', async () => {
  const { stdout, stderr } = await stalled(
    `${captured}
    for (let i = 0; i < 60_000; i++) console.log('line ' + i + ' ' + 'x'.repeat(150))
    console.error('arrived')`,
    'arrived',
  )
  expect(stderr).toBe('arrived\n')
  expect(
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' ')[1]),
  ).toEqual(Array.from({ length: 60_000 }, (_, i) => `${i}`))
})

test('a full queue blocks the process for at most a second, writes stderr lines first, and counts dropped lines', async () => {
  const { stdout, stderr } = await stalled(
    `${captured}
    console.error('before')
    for (let i = 0; i < 150_000; i++) console.log('line ' + i + ' ' + 'x'.repeat(150))
    console.error('after')
    await capture.flush()
    console.error(capture.stats().dropped.total)`,
    'after',
  )
  expect(stderr).toMatch(/^before\n(?:sluice: SLUICE_QUEUE_FULL: .*\n)?after\n\d+\n$/)
  const lost = Number(stderr.trimEnd().split('\n').at(-1))
  const lines = stdout.split('\n').slice(0, -1)
  expect(lost).toBeGreaterThan(0)
  expect(lines.filter((line) => line.startsWith('line '))).toHaveLength(150_000 - lost)
  expect(lines.find((line) => line.startsWith('sluice'))).toBe(`sluice: ${lost} records were dropped`)
})

test('two copies of the package and a console method saved earlier share one capture', async () => {
  const { stdout, stderr } = await runModule(
    `const { log } = console
    ${importOf('{ captureConsole as first }', 'dist/esm/console.js')}
    import { createRequire } from 'node:module'
    const { captureConsole: second } = createRequire(${JSON.stringify(import.meta.url)})('../../dist/cjs/console.js')
    const captures = [first(), second()]
    console.group('grouped')
    log('kept')
    console.error('error')
    await captures[0].release()
    console.log('still')
    await captures[1].release()
    console.log('after')`,
  )
  expect([stdout, stderr]).toEqual(['grouped\n  kept\n  still\n  after\n', '  error\n'])
})

test('a captured console in a worker thread prints to the streams of the worker', async () => {
  const thread = `${captured}
    console.log('out')
    console.error('error')
    process.exit()`
  const { stdout, stderr } = await runModule(`
    import { Worker } from 'node:worker_threads'
    const url = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)}))
    const worker = new Worker(url, { stdout: true, stderr: true })
    let text = ''
    for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (part) => (text += part))
    worker.on('exit', () => setImmediate(() => console.log(JSON.stringify(text.split('\\n').toSorted()))))`)
  expect([stdout, stderr]).toEqual(['["","error","out"]\n', ''])
})

test.each([
  ['service', 'written\nprinted\n'],
  ['lambda', 'written\nprinted\n'],
  ['cli', 'printed\nwritten\n'],
])('the profile %s sets when lines are written if no option does', async (profile, expected) => {
  const program = `import { writeSync } from 'node:fs'\n${captured}\nconsole.log('printed')\nwriteSync(1, 'written\\n')`
  const ended = await runModule(program, { env: { SLUICE_PROFILE: profile } })
  expect(ended).toMatchObject({ stdout: expected, stderr: '' })
})

test('the lambda profile writes printed lines before an await resumes', async () => {
  const program = `import { writeSync } from 'node:fs'\n${captured}\nconsole.log('printed')\nawait undefined\nwriteSync(1, 'written\\n')`
  for (const [profile, expected] of [
    ['lambda', 'printed\nwritten\n'],
    ['service', 'written\nprinted\n'],
  ] as const) {
    const ended = await runModule(program, { env: { SLUICE_PROFILE: profile } })
    expect(ended).toMatchObject({ stdout: expected, stderr: '' })
  }
})

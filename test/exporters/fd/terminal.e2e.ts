import { expect, test } from '@jest/globals'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runModule, importOf } from '../../support/processes/child.ts'
import { startInTerminal } from '../../support/processes/terminal.ts'

const withLogger = importOf('{ logger }', 'src/entries/index.ts')

/** Returns what a program has written, without the times. */
function messages(output: string): string[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^[\d:.]+ INFO {2}/, 'INFO '))
}

test('records and console.log output appear on a terminal in the order of the calls', async () => {
  const session = startInTerminal(
    `${withLogger}
    for (let i = 0; i < 50; i++) { logger.info('record ' + i); console.log('text ' + i) }
    console.error('error'); logger.info('last')`,
  )
  expect(await session.exitCode).toBe(0)
  const expected = Array.from({ length: 50 }, (_, index) => [`INFO record ${index}`, `text ${index}`]).flat()
  expect(messages(session.output)).toEqual([...expected, 'error', 'INFO last'])
})

test('a record appears on a terminal while the program is in a busy loop', async () => {
  const session = startInTerminal(`${withLogger}
    logger.info('before the loop')
    while (true);`)
  await session.untilShown('before the loop')
  // Ctrl+\ sends SIGQUIT, which ends the program without its event loop.
  session.press('\u001c')
  expect(await session.exitCode).toBe(131)
})

test.each([
  ['production', { NODE_ENV: 'production' }],
  ['the format json', { SLUICE_FORMAT: 'json' }],
])('records are written asynchronously to a terminal with %s', async (_kind, env) => {
  const session = startInTerminal(`${withLogger} logger.info('1'); console.log('2')`, env)
  expect(await session.exitCode).toBe(0)
  expect(session.output).toMatch(/^2\n\{.*"message":"1".*\}\n$/)
})

test('pretty records are written asynchronously to a pipe', async () => {
  const { stdout } = await runModule(`${withLogger} logger.info('1'); console.log('2')`, {
    env: { SLUICE_FORMAT: 'pretty' },
  })
  expect(messages(stdout)).toEqual(['2', 'INFO 1'])
})

test('pretty records are written asynchronously to a terminal if the option write requires it', async () => {
  const session = startInTerminal(`
    ${importOf('{ createLogger }', 'src/entries/index.ts')}
    ${importOf('{ fdExporter }', 'src/entries/exporters.ts')}
    createLogger({ exporter: fdExporter({ write: 'turn' }) }).info('1'); console.log('2')`)
  expect(await session.exitCode).toBe(0)
  expect(messages(session.output)).toEqual(['2', 'INFO 1'])
})

test.each([
  ['{}', { schedule: 'sync', onFull: 'block' }],
  ["{ write: 'sync' }", { schedule: 'sync', onFull: 'block' }],
  ["{ onFull: 'dropNewest' }", { schedule: 'sync', onFull: 'dropNewest' }],
  ["{ write: 'turn' }", { schedule: 'turn' }],
  ["{ write: 'microtask' }", { schedule: 'microtask' }],
  ['{ scheduledDelayMillis: 50 }', { schedule: { delayMillis: 50 } }],
  ['{ scheduledDelayMillis: 0 }', {}],
  ["{ format: 'json' }", {}],
])('a log call waits for a terminal by default only if it writes: fdExporter(%s)', async (options, expected) => {
  const session = startInTerminal(`
    ${importOf('{ fdExporter }', 'src/entries/exporters.ts')}
    const { schedule, delivery } = fdExporter(${options})
    console.log(JSON.stringify({ schedule, onFull: delivery.onFull }))`)
  expect(await session.exitCode).toBe(0)
  expect(JSON.parse(session.output)).toEqual(expected)
})

/**
 * A program that logs more than a terminal can hold, and writes to a file how far it is. Its event loop runs sometimes, as a listener for
 * signals requires.
 */
const endless = `${withLogger}
  import { writeFileSync } from 'node:fs'
  logger.info('started')
  for (let i = 1; ; i++) {
    logger.info('record ' + i + ' ' + 'x'.repeat(200))
    if (i % 100 === 0 && process.env.PROGRESS) writeFileSync(process.env.PROGRESS, String(i))
    if (i % 10 === 0) await new Promise(setImmediate)
    if (i === 20_000) { logger.info('finished'); process.exit(3) }
  }`

test('a paused terminal pauses the program, and no record is lost', async () => {
  const progress = join(mkdtempSync(join(tmpdir(), 'terminal-')), 'progress')
  const session = startInTerminal(endless, { PROGRESS: progress }, 400)
  await session.untilShown('record 100 ')
  session.press('\u0013')
  let paused = session.output.length
  // The bytes that were on their way still arrive.
  for (let previous = -1; previous !== paused;) {
    previous = paused
    await new Promise((resolve) => setTimeout(resolve, 300))
    paused = session.output.length
  }
  expect(session.output).not.toContain('finished')
  expect(Number(readFileSync(progress, 'utf8'))).toBeLessThan(20_000)
  session.press('\u0011')
  expect(await session.exitCode).toBe(3)
  const numbers = [...session.output.matchAll(/record (\d+) x{200}\n/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1))
  expect(session.output).toContain('finished')
}, 30_000)

test('Ctrl+C ends a program whose terminal is paused', async () => {
  const session = startInTerminal(endless, {}, 400)
  await session.untilShown('record 100 ')
  session.press('\u0013')
  await new Promise((resolve) => setTimeout(resolve, 500))
  session.press('\u0003')
  expect(await session.exitCode).toBe(130)
  expect(session.output).not.toContain('finished')
}, 30_000)

test.each([
  ['process.exit(3)', 3],
  ['throw new Error("uncaught")', 1],
  ['process.exitCode = 4', 4],
  ['process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 5_000)', 143],
])('the exit status of a program that logs to a terminal and calls %s is unchanged', async (code, status) => {
  const session = startInTerminal(`${withLogger} logger.info('shown'); ${code}`)
  expect(await session.exitCode).toBe(status)
  expect(session.output).toContain('INFO  shown\n')
})

test('values are shown in the width that the terminal has when the record is logged', async () => {
  const session = startInTerminal(
    `${withLogger}
    import { execFileSync } from 'node:child_process'
    const text = 'x'.repeat(200)
    logger.info('wide', { text })
    const alive = setInterval(() => {}, 1_000)
    const resized = new Promise((resolve) => process.once('SIGWINCH', resolve))
    execFileSync('stty', ['cols', '60'], { stdio: 'inherit' })
    await resized
    clearInterval(alive)
    logger.info('narrow', { text })`,
    {},
    100,
  )
  expect(await session.exitCode).toBe(0)
  expect(
    session.output
      .split('\n')
      .filter((line) => line.includes('text'))
      .map((line) => line.length),
  ).toEqual([100, 60])
})

test('a terminal of a worker thread receives records in order with those of the main thread', async () => {
  const session = startInTerminal(`${withLogger}
    import { Worker } from 'node:worker_threads'
    logger.info('main 1')
    const worker = new Worker(${JSON.stringify(`${withLogger} logger.info('worker'); process.exit()`)}, { eval: true, type: 'module' })
    worker.on('exit', () => logger.info('main 2'))`)
  expect(await session.exitCode).toBe(0)
  expect(messages(session.output)).toEqual(['INFO main 1', 'INFO worker', 'INFO main 2'])
})

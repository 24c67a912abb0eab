import { describe, expect, test } from '@jest/globals'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importOf, runModule, type ChildResult } from '../support/processes/child.ts'

const start = `${importOf('{ createLogger }', 'src/entries/index.ts')}
const log = createLogger({ recorder: { by: 'tenant' } })
const a = log.child({ tenant: 'a' })
const b = log.child({ tenant: 'b' })
a.debug('a 1'); b.debug('b 1'); a.debug('a 2')
log.info('started')
`

/** Returns the message of each line, with an asterisk for those that were held. */
function linesOf({ stdout }: ChildResult): string[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ message, attributes }) => (attributes?.['sluice.recorded'] === true ? `${message}*` : message))
}

// The records of the key that was not used for the longest time come first.
const released = ['started', 'b 1*', 'a 1*', 'a 2*']

describe('exits that release held records', () => {
  test.each([
    ['an uncaught exception', `throw new Error('crash')`, 1],
    ['an uncaught exception in a later turn', `setTimeout(() => { throw new Error('crash') }, 10)`, 1],
    ['an unhandled rejection', `Promise.reject(new Error('crash'))`, 1],
    ['a call of process.exit with a code other than 0', `process.exit(3)`, 3],
    ['a natural exit with an exit code other than 0', `process.exitCode = 4`, 4],
    ['an exit in an uncaughtException listener', `process.on('uncaughtException', () => process.exit(5)); null.x`, 5],
  ])('%s releases the records of all keys', async (_, end, code) => {
    const result = await runModule(start + end)
    expect(result.code).toBe(code)
    expect(linesOf(result)).toEqual(released)
  })

  test('an uncaught exception that the program handles releases the records before its listeners run', async () => {
    const result = await runModule(`${start}
      process.on('uncaughtException', () => log.info('handled'))
      setTimeout(() => { log.info('later'); a.debug('a 3') }, 20)
      throw new Error('crash')`)
    expect(result.code).toBe(0)
    expect(linesOf(result)).toEqual([...released, 'handled', 'later', 'a 3'])
  })

  test('the error of the exception is reported by Node as without a recorder', async () => {
    const { stderr } = await runModule(`${start} throw new Error('crash')`)
    expect(stderr).toMatch(/throw new Error\('crash'\)[^]*Error: crash/)
  })

  test('records of a logger that nothing refers to are released', async () => {
    const result = await runModule(`${start.replace('const log', 'let log').replaceAll(/const (?=[ab] )/g, 'let ')}
      log = a = b = undefined
      setTimeout(() => { throw new Error('crash') }, 50)`)
    expect(linesOf(result)).toEqual(released)
  })

  test('an exporter that needs the event loop exports released records after a natural exit with an exit code', async () => {
    const bodies: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        bodies.push(body)
        response.end('{}')
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`
    const result = await runModule(`${importOf('{ createLogger }', 'src/entries/index.ts')}
      ${importOf('{ otlpExporter }', 'src/entries/exporters.ts')}
      const log = createLogger({
        exporter: otlpExporter({ url: '${url}', protocol: 'http/json', compression: 'none' }),
        recorder: { by: 'tenant' },
      })
      log.child({ tenant: 'a' }).debug('held until the exit')
      process.exitCode = 1`)
    server.close()
    expect(result).toMatchObject({ code: 1, stderr: '' })
    expect(bodies.join('')).toContain('held until the exit')
  })

  test('with a reader that does not read, a crash is delayed by exitTimeoutMillis at most', async () => {
    const result = await runModule(`
      ${importOf('{ createLogger }', 'src/entries/index.ts')}
      ${importOf('{ fdExporter }', 'src/entries/exporters.ts')}
      import { spawn } from 'node:child_process'
      const reader = spawn('sleep', ['10'], { stdio: ['pipe', 'ignore', 'ignore'] })
      reader.unref()
      const log = createLogger({
        exporter: fdExporter({ fd: reader.stdin._handle.fd }),
        recorder: { by: 'tenant', maxRecords: 100_000, maxBytes: 8_000_000 },
        exitTimeoutMillis: 300,
        onDiagnostic: () => {},
      })
      const child = log.child({ tenant: 'a' })
      for (let i = 0; i < 5_000; i++) child.debug('x'.repeat(1_000))
      process.on('exit', () => reader.kill())
      const start = performance.now()
      process.on('exit', () => process.stdout.write(String(performance.now() - start < 5_000)))
      throw new Error('crash')`)
    expect(result).toMatchObject({ code: 1, stdout: 'true' })
  })
})

describe('exits that release nothing', () => {
  test.each([
    ['a natural exit', ''],
    ['a call of process.exit with the code 0', 'process.exit(0)'],
    ['a shutdown', 'await log.shutdown(); process.exitCode = 1'],
    ['a call of flushSync', 'log.flushSync()'],
  ])('%s writes no held record', async (_, end) => {
    expect(linesOf(await runModule(start + end))).toEqual(['started'])
  })

  test('SIGTERM writes no held record', async () => {
    const result = await runModule(`${start} setInterval(() => {}, 1_000); console.log('ready')`, { signal: 'SIGTERM' })
    expect(result.signal).toBe('SIGTERM')
    expect(result.stdout).toContain('started')
    expect(result.stdout).not.toContain('a 1')
  })

  test('handleExit: false leaves held records unwritten', async () => {
    const result = await runModule(`${start.replace('recorder:', 'handleExit: false, recorder:')}
      log.flushSync(); throw new Error('crash')`)
    expect(linesOf(result)).toEqual(['started'])
  })
})

test('timers and listeners of a recorder do not keep the process alive, and shutdown removes the listeners', async () => {
  const result = await runModule(`${start}
    const count = () => ['exit', 'beforeExit', 'uncaughtExceptionMonitor'].map((name) => process.listenerCount(name))
    await log.shutdown()
    console.log(JSON.stringify({ message: count().join() }))
    createLogger({ recorder: {} }).child({ tenant: 'a' }).debug('held')`)
  expect(linesOf(result)).toEqual(['started', '0,0,0'])
  expect(result.elapsed).toBeLessThan(10_000)
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import winston from 'winston'
import { httpExporter } from '../../../src/compat/winston/transports/http-exporter.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { createLogger, format, Transport, transports } from '../../../src/entries/winston.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { batchOf } from '../../support/pipeline/batch.ts'
import { ManualHost } from '../../support/pipeline/manual-host.ts'
import { freePorts } from '../../support/processes/ports.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { infoKeeper } from './info-keeper.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

/** Starts a server that closes the connection of each request. */
async function closingServer(): Promise<{ readonly port: number }> {
  const server = createServer((request) => void request.socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return { port: (server.address() as AddressInfo).port }
}

const entry = fileURLToPath(new URL('../../../src/entries/winston.ts', import.meta.url))

function finished(logger: Writable): Promise<unknown> {
  logger.end()
  return new Promise((resolve) => logger.once('finish', resolve))
}

describe('Console', () => {
  test('Console writes the configured levels to standard error and ends lines with `eol`', () => {
    const source = `import { createLogger, format, transports } from ${JSON.stringify(entry)}
      const log = createLogger({ format: format.simple(), transports: new transports.Console({ stderrLevels: ['error'], consoleWarnLevels: ['warn'], eol: '|' }) })
      log.info('a'); log.warn('b'); log.error('c'); log.debug('d')`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
    expect([run.stdout, run.stderr]).toEqual(['info: a|', 'warn: b|error: c|'])
  })
})

test('loggers can share a transport and a file, which are closed with the last logger', async () => {
  const filename = directory.path('shared.log')
  const shared = new transports.File({ filename })
  const loggers = Array.from({ length: 20 }, () => createLogger({ transports: shared }))
  const other = createLogger({ format: format.simple(), transports: new transports.File({ filename }) })
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  for (const [index, log] of loggers.entries()) {
    log.info(`${index}`)
    if (index > 0) log.close()
  }
  other.info('other')
  loggers[0]!.info('again')
  await Promise.all([finished(loggers[0]!), finished(other)])
  process.removeListener('warning', onWarning)
  const lines = readFileSync(filename, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(22)
  expect(lines.slice(-2)).toEqual(['info: other', '{"level":"info","message":"again"}'])
  expect(warnings).toEqual([])
})

describe('File', () => {
  test('File creates its directory, and the logger emits `finish` after the file is written', async () => {
    const dirname = directory.path('made/deeply')
    const log = createLogger({ transports: new transports.File({ filename: 'app.log', dirname }) })
    log.info('written')
    await finished(log)
    expect(readFileSync(`${dirname}/app.log`, 'utf8')).toBe('{"level":"info","message":"written"}\n')
  })

  test('File rotates at `maxsize`, and `maxFiles` includes the current file', async () => {
    const filename = directory.path('full.log')
    const log = createLogger({
      transports: new transports.File({ filename, maxsize: 1_000_000, maxFiles: 2, tailable: true }),
    })
    for (let i = 0; i < 40; i++) {
      log.info('x'.repeat(100_000))
      if (i % 5 === 4) await log.flush()
    }
    await finished(log)
    const files = () => readdirSync(directory.path('.')).filter((name) => name.startsWith('full'))
    await waitUntil(() => files().length === 2)
    expect(files()).toContain('full.log')
  })

  test('File writes the same line as a transport of the original winston', async () => {
    const filename = directory.path('theirs.log')
    const log = winston.createLogger({ transports: new transports.File({ filename }) })
    log.info('written')
    log.end()
    await waitUntil(() => existsSync(filename) && readFileSync(filename, 'utf8') !== '')
    expect(readFileSync(filename, 'utf8')).toBe('{"level":"info","message":"written"}\n')
  })
})

describe('Stream', () => {
  test('Stream writes during the call, waits for a slow stream, and emits `finish` after the last write', async () => {
    const chunks: string[] = []
    let completeWrite: (() => void) | undefined
    const stream = new Writable({
      write(chunk: Buffer, _, next) {
        chunks.push(chunk.toString())
        completeWrite = next
      },
    })
    const log = createLogger({ format: format.simple(), transports: new transports.Stream({ stream, eol: '\n' }) })
    log.info('1')
    expect(chunks).toEqual(['info: 1\n'])
    log.info('2')
    log.info('3')
    expect(chunks).toHaveLength(1)
    completeWrite!()
    await waitUntil(() => chunks.length === 2)
    expect(chunks[1]).toBe('info: 2\ninfo: 3\n')
    const end = finished(log)
    completeWrite!()
    await end
    expect(stream.writableEnded).toBe(false)
  })

  test('an error of the stream is reported and does not throw', async () => {
    const diagnostics: string[] = []
    const stream = new Writable({ write: (_chunk, _, next) => next(new Error('gone')) })
    const log = createLogger({
      transports: new transports.Stream({ stream }),
      onDiagnostic: ({ code }) => diagnostics.push(code),
    })
    log.info('lost')
    await waitUntil(() => diagnostics.length > 0)
    expect(diagnostics).toContain('SLUICE_WRITE_FAILED')
  })

  test('a stream in object mode receives the infos', () => {
    const infos: unknown[] = []
    const stream = new Writable({ objectMode: true, write: (info, _, next) => (infos.push(info), next()) })
    createLogger({ transports: new transports.Stream({ stream }) }).info('m', { a: 1 })
    expect(infos).toEqual([expect.objectContaining({ level: 'info', message: 'm', a: 1 })])
  })
})

describe('Http', () => {
  interface Request {
    readonly url: string | undefined
    readonly authorization: string | undefined
    readonly body: unknown
  }

  async function withServer(
    use: (port: number, requests: Request[]) => Promise<void>,
    status: (count: number) => number = () => 200,
  ): Promise<void> {
    const requests: Request[] = []
    const server = createServer((request: IncomingMessage, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        requests.push({ url: request.url, authorization: request.headers.authorization, body: JSON.parse(body) })
        response.writeHead(status(requests.length)).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      await use((server.address() as AddressInfo).port, requests)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  test('Http sends each info in a request, or several infos as an array with `batch`', async () => {
    await withServer(async (port, requests) => {
      const auth = { username: 'ann', password: 'pw' }
      const one = createLogger({ transports: new transports.Http({ host: '127.0.0.1', port, path: 'logs', auth }) })
      one.info('a', { n: 1 })
      one.info('b')
      await finished(one)
      expect(requests).toEqual([
        { url: '/logs', authorization: 'Basic YW5uOnB3', body: { level: 'info', message: 'a', n: 1 } },
        { url: '/logs', authorization: 'Basic YW5uOnB3', body: { level: 'info', message: 'b' } },
      ])
      const many = createLogger({
        transports: new transports.Http({ host: '127.0.0.1', port, batch: true, batchCount: 2 }),
      })
      for (const message of ['c', 'd', 'e']) many.info(message)
      await finished(many)
      const bodies = requests.slice(2).map(({ body }) => (body as { message: string }[]).map(({ message }) => message))
      expect(bodies).toEqual([['c', 'd'], ['e']])
    })
  })

  test('records that an HTTP server rejects are reported and counted', async () => {
    await withServer(
      async (port) => {
        const diagnostics: string[] = []
        const transport = new transports.Http({
          host: '127.0.0.1',
          port,
          onDiagnostic: ({ code }) => diagnostics.push(code),
        })
        const log = createLogger({ transports: transport, onDiagnostic: ({ code }) => diagnostics.push(code) })
        log.info('m')
        await log.flush()
        expect(diagnostics).toContain('SLUICE_HTTP_FAILED')
        expect(transport.stats()[0]!.dropped.byReason.rejected).toBe(1)
        log.close()
      },
      () => 400,
    )
  })

  test.each([
    ['a port without a listener', async () => (await freePorts(1))[0]!, 'retryable', 'ECONNREFUSED'],
    ['a port that fetch blocks', async () => 9, 'retryable', 'BAD_PORT'],
    ['a server that closes the connection', async () => (await closingServer()).port, 'unknown', 'UND_ERR_SOCKET'],
  ])('Http returns whether the outcome is retryable or unknown for %s', async (_, portOf, status, code) => {
    const settings = { url: `http://127.0.0.1:${await portOf()}/`, headers: {}, batch: false, timeoutMillis: 5_000 }
    const exporter = httpExporter(settings, { encoding: jsonLines(), schedule: 'turn', delivery: {} })
    const host = new ManualHost()
    exporter.start!(host)
    expect(await exporter.export(batchOf(['{}\n']), undefined)).toEqual({ status, accepted: 0 })
    expect(host.diagnostics).toEqual([
      { code: 'SLUICE_HTTP_FAILED', message: `${exporter.name} did not respond (${code})` },
    ])
  })
})

describe('custom transports', () => {
  test.each([
    ['Transport', Transport],
    ['Transport of winston', (winston as unknown as { Transport: typeof Transport }).Transport],
  ])('a subclass of %s receives the infos of its level', (_, Base) => {
    const infos: unknown[] = []
    class Own extends Base {
      override log(info: unknown, next: () => void): void {
        infos.push(info)
        next()
      }
    }
    const log = createLogger({ level: 'debug', transports: new Own({ level: 'warn' }) })
    log.info('no')
    log.warn('yes')
    expect(infos).toEqual([expect.objectContaining({ message: 'yes' })])
  })

  test('a stalled custom transport queues a limited number of records, and dropped records are reported', () => {
    const diagnostics: string[] = []
    const stuck = new Writable({ objectMode: true, write: () => {} })
    const log = createLogger({ transports: stuck, onDiagnostic: ({ code }) => diagnostics.push(code) })
    for (let i = 0; i < 11_000; i++) log.info('m')
    expect(stuck.writableLength).toBe(10_000)
    expect(diagnostics).toEqual(['SLUICE_QUEUE_FULL'])
  })

  test('a custom transport does not receive infos that its format filters out', () => {
    const keeper = infoKeeper({ format: format((info) => (info['secret'] ? false : info))() })
    const log = createLogger({ transports: keeper.transport })
    log.info('no', { secret: true })
    log.info('yes')
    expect(keeper.lines()).toEqual(['{"level":"info","message":"yes"}'])
  })
})

test('drops are reported in the stream in the format of the logger', async () => {
  const lines: string[] = []
  let release: (() => void) | undefined
  const stream = new Writable({
    write(chunk: Buffer, _, next) {
      lines.push(...chunk.toString().trimEnd().split('\n'))
      if (release === undefined) release = next
      else next()
    },
  })
  const transport = new transports.Stream({ stream, maxQueueSize: 5 })
  const log = createLogger({ format: format.simple(), transports: transport, onDiagnostic: () => {} })
  for (let i = 0; i < 20; i++) log.info(`m${i}`)
  release!()
  await log.flush()
  log.info('more')
  await log.flush()
  await waitUntil(() => lines.some((line) => line.startsWith('warn: ')))
  const notice = lines.find((line) => line.startsWith('warn: '))!
  expect(notice).toMatch(/^warn: \d+ records were dropped \{.*"dropped":\d+/)
})

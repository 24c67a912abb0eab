import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createLogger } from '../../src/create/create-logger.ts'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { importOf, runModule, type ChildResult } from '../support/processes/child.ts'
import { canary, expectNoCanary } from './fuzz/canary.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const imports =
  importOf('{ createLogger }', 'src/create/create-logger.ts') +
  importOf('{ otlpExporter }', 'src/exporters/otlp/otlp-exporter.ts') +
  importOf('{ fileExporter }', 'src/exporters/file/file-exporter.ts') +
  importOf('{ processExporter }', 'src/exporters/process/process-exporter.ts')

function expectNothing({ stdout, stderr }: ChildResult): void {
  expectNoCanary(stdout, 'the standard output')
  expectNoCanary(stderr, 'the standard error')
}

/** Returns the non-empty lines of the standard error. */
function linesOf(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line !== '')
}

// Fault rows: 36
describe('secrets in output, files and diagnostics of a process', () => {
  test('no secret is written when the server cannot be reached until the process exits', async () => {
    const ended = await runModule(`${imports}
      const log = createLogger({
        redact: { keys: ['secret'] },
        exitTimeoutMillis: 300,
        exporter: otlpExporter({
          url: 'http://me:${canary}@127.0.0.1:1/v1/logs',
          headers: { authorization: 'Bearer ${canary}', 'x-key': '${canary}' },
          retry: { maxElapsedMillis: 100 },
        }),
      })
      log.error('failed', { secret: '${canary}', err: Object.assign(new Error('x'), { secret: '${canary}' }) })`)
    expectNothing(ended)
    expect(ended.stderr).toContain('SLUICE_RECORDS_LOST')
  })

  test('no secret is written when the TLS key and passphrase are invalid', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\\n${canary}\\n-----END PRIVATE KEY-----`
    const ended = await runModule(`${imports}
      const log = createLogger({
        exitTimeoutMillis: 300,
        exporter: otlpExporter({
          url: 'https://127.0.0.1:1/',
          tls: { key: '${key}', cert: '${key}', passphrase: '${canary}' },
          retry: { maxElapsedMillis: 100 },
        }),
      })
      log.error('failed')`)
    expectNothing(ended)
    expect(ended.stderr).toMatch(/^sluice: SLUICE_/m)
  })

  test('no secret is written when environment variables are invalid', async () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${canary};p=1,x y=${canary},cookie=${canary}%`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `ftp://me:${canary}@host/`,
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `https://${canary}@host:99999/`,
      OTEL_EXPORTER_OTLP_TIMEOUT: canary,
      OTEL_EXPORTER_OTLP_PROTOCOL: `grpc\n${canary}`,
      OTEL_EXPORTER_OTLP_CLIENT_KEY: `/no/such/${canary}`,
      OTEL_RESOURCE_ATTRIBUTES: `a=${canary},b=%ZZ`,
      SLUICE_LEVEL: canary,
      SLUICE_FORMAT: `${canary}\nsluice: forged`,
      LOG_LEVEL: canary,
    }
    const ended = await runModule(
      `${imports}
      const log = createLogger({ exitTimeoutMillis: 200, exporter: otlpExporter({ retry: { maxElapsedMillis: 50 } }) })
      log.error('failed')`,
      { env },
    )
    expectNothing(ended)
    expect(ended.stderr).toContain('OTEL_EXPORTER_OTLP_HEADERS')
    expect(linesOf(ended.stderr).every((line) => line.startsWith('sluice: SLUICE_'))).toBe(true)
  })

  test('no secret is written when a ConfigurationError is not caught', async () => {
    const ended = await runModule(`${imports}
      createLogger({
        level: '${canary}', redact: { paths: ['a['], censor: { v: '${canary}' } }, name: { v: '${canary}' },
        exporter: { export() {}, password: '${canary}' }, resource: { key: { v: '${canary}' } },
        serializers: { a: '${canary}' }, limits: { depth: '${canary}' }, provider: { token: '${canary}' },
      })`)
    expect(ended.code).toBe(1)
    // Node prints the source line, which contains the canary, before the error.
    expectNoCanary(ended.stderr.slice(ended.stderr.indexOf('SLUICE_CONFIG')), 'the standard error')
    expect(ended.stderr).toContain('SLUICE_CONFIG')
  })

  test('no secret is written when an uncaught error ends the process and a file cannot be written', async () => {
    const path = join(folder, 'app.log')
    const program = join(folder, 'dies.mjs')
    writeFileSync(
      program,
      `${imports}
      const secret = process.env.THE_SECRET
      const log = createLogger({ redact: { keys: ['secret'] }, exporter: [fileExporter({ path: ${JSON.stringify(path)} }), fileExporter({ path: '/dev/full' }), processExporter({ path: '/no/such/app.log' })] })
      log.info('got', { secret, list: [{ secret }], err: Object.assign(new Error('x', { cause: { secret } }), { secret }) })
      throw new Error('the end')`,
    )
    const ended = await runModule(`await import(${JSON.stringify(program)})`, { env: { THE_SECRET: canary } })
    expectNothing(ended)
    expect(ended.stderr).toContain('the end')
    // The path of the writer process cannot be opened either.
    expect(ended.stderr).toMatch(/process:\/no\/such/)
    for (const file of readdirSync(folder)) expectNoCanary(readFileSync(join(folder, file), 'latin1'), file)
    expect(readFileSync(path, 'utf8')).toContain('[REDACTED]')
  })

  test('no secret is reported when the response of a server repeats request headers', async () => {
    const bodies: Buffer[] = []
    const server: Server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks))
        const reason = `bad token ${request.headers.authorization} and ${String(request.headers['x-key'])}`
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ message: `${reason}\n\u001b[31msluice: forged` }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const problems: string[] = []
    const exporter = otlpExporter({
      url: `http://127.0.0.1:${port}/`,
      headers: { authorization: `Bearer ${canary}`, 'x-key': canary },
    })
    const log = createLogger({
      exporter,
      redact: { keys: ['secret'] },
      handleExit: false,
      onDiagnostic: ({ code, message }) => problems.push(`${code}: ${message}`),
    })
    log.info('got {secret}', { secret: canary, deep: [{ SECRET: Buffer.from(canary) }] })
    await log.flush({ timeoutMillis: 2_000 })
    await log.shutdown({ timeoutMillis: 1_000 })
    server.close()
    expect(problems).toEqual([
      expect.stringMatching(/^SLUICE_OTLP_REJECTED: .*bad token/),
      expect.stringMatching(/^SLUICE_RECORDS_LOST: 1 record /),
    ])
    expectNoCanary(problems.join(), 'a problem')
    expect(problems.join()).not.toMatch(/\p{Cc}/u)
    expect(bodies).toHaveLength(1)
    expectNoCanary(Buffer.concat(bodies).toString('latin1'), 'a request')
    expectNoCanary(JSON.stringify(log.stats()), 'stats()')
    expectNoCanary(inspect(log, { depth: 9, showHidden: true }), 'inspect() of a logger')
    expectNoCanary(JSON.stringify(exporter), 'JSON of an exporter')
    expectNoCanary(inspect(exporter, { depth: 9, showHidden: true }), 'inspect() of an exporter')
  })
})

// Fault rows: 29
describe('names with line breaks in diagnostics', () => {
  test.each([
    [
      'a file',
      `createLogger({ exporter: fileExporter({ path: '/no/such\\nsluice: forged\\u001b[31m/\\u202ex' }) }).info('m')`,
      'SLUICE_',
    ],
    [
      'a custom exporter, and the code of its diagnostic',
      `const { jsonLines } = await import(${JSON.stringify(new URL('../../src/encode/json/json-lines.ts', import.meta.url).href)})
       let host
       createLogger({ exporter: {
         name: 'x\\nsluice: forged\\u009b', encoding: jsonLines(), schedule: 'sync', delivery: {},
         start(given) { host = given },
         export() { host.reportDiagnostic('OWN\\nsluice: forged', 'a\\r\\nb\\u2028c'); throw new Error('\\n') },
       } }).info('m')`,
      'OWN',
    ],
  ])('the name of %s is on one line of the standard error', async (_, program, code) => {
    const { stderr } = await runModule(`${imports}${program}`)
    expect(stderr).toContain(`sluice: ${code}`)
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/)
    expect(linesOf(stderr).length).toBeGreaterThan(0)
    expect(linesOf(stderr).filter((line) => !/^sluice: [A-Z]/.test(line))).toEqual([])
  })
})

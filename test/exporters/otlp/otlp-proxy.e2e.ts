import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importOf, runModule } from '../../support/processes/child.ts'
import { needs } from '../../support/needs.ts'
import { authorityIn, hasOpenssl, type Authority } from './certificates.ts'

const secured = needs('openssl', hasOpenssl())

/** Names that do not resolve: requests to them reach the collector only through the proxy. */
const plainUrl = 'http://collector.invalid:4318/v1/logs'
const secureUrl = 'https://collector.invalid/v1/logs'
const password = 'pr0xy-SECRET'

let folder: string
let authority: Authority
let collector: http.Server
let secureCollector: https.Server
let proxy: http.Server
let proxyUrl: string
/** The requests at the proxy and the bodies at the collector behind it. */
let seen: { readonly proxied: string[]; readonly bodies: string[] }
let refusal: number | undefined
const sockets = new Set<Socket>()

const collect = (request: http.IncomingMessage, response: http.ServerResponse): void => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => {
    seen.bodies.push(body)
    response.setHeader('content-type', 'application/json').end('{}')
  })
}

const listening = (server: http.Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-'))
  collector = http.createServer(collect)
  const plainPort = await listening(collector)
  let securePort = 0
  if (hasOpenssl()) {
    authority = authorityIn(folder)
    secureCollector = https.createServer(authority.issue('collector.invalid', 'DNS:collector.invalid'), collect)
    securePort = await listening(secureCollector)
  }
  proxy = http.createServer((request, response) => {
    seen.proxied.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
    if (refusal !== undefined) {
      // A careless proxy that repeats the credentials it received.
      const message = `no entry for ${atob(request.headers['proxy-authorization']!.slice(6))}`
      response.writeHead(refusal, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
      return
    }
    const { method, headers } = request
    const path = new URL(request.url!).pathname
    const forwarded = http.request({ port: plainPort, host: '127.0.0.1', method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  proxy.on('connect', (request, client: Socket) => {
    seen.proxied.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`)
    client.on('error', () => {})
    sockets.add(client)
    if (refusal === 0) return
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No ${password}\r\n\r\n`)
      return
    }
    const upstream = connect(securePort, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    upstream.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  proxyUrl = `http://user:${password}@127.0.0.1:${await listening(proxy)}`
})
afterEach(() => {
  refusal = undefined
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})
afterAll(() => {
  for (const server of [collector, secureCollector, proxy]) {
    server?.closeAllConnections()
    server?.close()
  }
  rmSync(folder, { recursive: true })
})

const authorization = `Basic ${btoa(`user:${password}`)}`

/** Logs a record in a separate process with the proxy in its environment. */
async function run(url: string, end: string, env: Record<string, string> = {}, options = {}) {
  seen = { proxied: [], bodies: [] }
  const tls = url.startsWith('https') ? { tls: { ca: authority.ca } } : {}
  const all = {
    url,
    protocol: 'http/json',
    scheduledDelayMillis: 1,
    retry: { initialDelayMillis: 10 },
    ...tls,
    ...options,
  }
  const program =
    importOf('{ createLogger }', 'src/create/create-logger.ts') +
    importOf('{ otlpExporter }', 'src/exporters/otlp/otlp-exporter.ts') +
    `const log = createLogger({ exporter: otlpExporter(${JSON.stringify(all)}), exitTimeoutMillis: 3000 })
     log.info('through the proxy')
     process.on('exit', () => console.log(JSON.stringify(log.stats().exporters[0])))
     ${end}`
  const unset = { HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '', http_proxy: '', https_proxy: '', no_proxy: '' }
  const proxies = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, NODE_USE_ENV_PROXY: '1' }
  const { stdout, stderr, elapsed } = await runModule(program, { env: { ...unset, ...proxies, ...env } })
  return { stats: JSON.parse(stdout || '{}'), stderr, elapsed }
}

const ends = [
  ['in the event loop', 'await log.flush()'],
  ['from the worker, at process.exit()', 'process.exit(0)'],
] as const

describe('requests with NODE_USE_ENV_PROXY', () => {
  test.each(ends)('a request is sent through the proxy of the environment %s', async (_, end) => {
    const { stats, stderr } = await run(plainUrl, end)
    expect([stats.written, stderr]).toEqual([1, ''])
    expect(seen.proxied).toEqual([`POST ${plainUrl} ${authorization}`])
    expect(seen.bodies.join()).toContain('through the proxy')
  })

  secured.each(ends)('a request over TLS is sent through the proxy by CONNECT %s', async (_, end) => {
    const { stats, stderr } = await run(secureUrl, end)
    expect([stats.written, stderr]).toEqual([1, ''])
    expect(seen.proxied).toEqual([`CONNECT collector.invalid:443 ${authorization}`])
    expect(seen.bodies.join()).toContain('through the proxy')
  })

  secured('the certificate of the collector is verified through a proxy', async () => {
    const { stats, stderr } = await run(
      secureUrl,
      'await log.flush({ timeoutMillis: 300 }); process.exit(0)',
      {
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
      { tls: {} },
    )
    expect(stats).toMatchObject({ written: 0 })
    expect([seen.bodies, stderr.includes('certificate')]).toEqual([[], true])
  })
})

const direct = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/logs`

describe('requests without a proxy', () => {
  test.each(ends)('a request does not use the proxy without NODE_USE_ENV_PROXY %s', async (_, end) => {
    const { stats } = await run(direct(), end, { NODE_USE_ENV_PROXY: '' })
    expect([stats.written, seen.proxied]).toEqual([1, []])
  })

  test.each(ends)('a request to a host in NO_PROXY does not use the proxy %s', async (_, end) => {
    const { stats } = await run(direct(), end, { NO_PROXY: 'localhost,127.0.0.1' })
    expect([stats.written, seen.proxied]).toEqual([1, []])
  })
})

describe('proxies that reject requests', () => {
  secured.each([
    ['with its own response', plainUrl, 407],
    ['by refusing a tunnel', secureUrl, 407],
    ['by refusing a tunnel temporarily', secureUrl, 503],
  ])('records are dropped without credentials in messages when a proxy rejects requests %s', async (_, url, status) => {
    refusal = status
    const { stats, stderr } = await run(url, 'await log.flush({ timeoutMillis: 300 }); process.exit(0)')
    expect(stats).toMatchObject({ written: 0, unknown: 0, dropped: { total: 1 } })
    expect(stderr).toContain('SLUICE_')
    expect(seen.proxied.length).toBeGreaterThan(0)
    for (const secret of [password, btoa(`user:${password}`), encodeURIComponent(password)])
      expect(stderr + JSON.stringify(stats)).not.toContain(secret)
  })

  test('records are dropped without credentials in messages when the proxy is unreachable', async () => {
    const env = { HTTP_PROXY: `http://user:${password}@127.0.0.1:9` }
    const { stats, stderr } = await run(plainUrl, 'await log.flush({ timeoutMillis: 300 }); process.exit(0)', env)
    expect(stats).toMatchObject({ written: 0, unknown: 0, dropped: { total: 1 } })
    expect(stderr + JSON.stringify(stats)).not.toContain(password)
  })

  secured.each([
    ['process.exit()', 'process.exit(0)'],
    ['normal process exit', ''],
  ])('a proxy that never responds to CONNECT does not delay %s beyond exitTimeoutMillis', async (_, end) => {
    refusal = 0
    const { stats, elapsed } = await run(secureUrl, end)
    expect(stats).toMatchObject({ written: 0, unknown: 0, dropped: { byReason: { exit_deadline: 1 } } })
    // The next limit would be the 10 s of a request.
    expect(elapsed).toBeLessThan(9_000)
  })
})

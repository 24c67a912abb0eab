import { afterAll, expect } from '@jest/globals'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc'
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { type Collector, hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'

const testCollector = needs('the Collector (`npm run real-parts`)', hasCollector)
const testTls = needs(
  'openssl or the Collector (`npm run real-parts`)',
  hasCollector && spawnSync('openssl', ['version']).status === 0,
)
const directory = temporaryDirectory()

afterAll(() => directory.remove())

/** A request with records that differ in their event names. */
function requestOf(...names: string[]): string {
  const logRecords = names.map((eventName) => ({ eventName }))
  return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
}

function post({ httpUrl }: Collector, body: string): Promise<Response> {
  return fetch(`${httpUrl}/v1/logs`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

const namesIn = (collector: Collector): string[] => collector.records().map(({ eventName }) => eventName)

testCollector('a restarted Collector appends to its file and keeps its ports', async () => {
  const collector = await startCollector(directory.path('again'))
  await post(collector, requestOf('a', 'b'))
  await collector.restart()
  await post(collector, requestOf('c'))
  await collector.stop()
  expect(namesIn(collector)).toEqual(['a', 'b', 'c'])
})

testCollector('a Collector that is stopped as soon as it is ready has written the accepted records', async () => {
  const collector = await startCollector(directory.path('early'))
  const names = Array.from({ length: 10 }, (_, index) => `early ${index}`)
  for (const name of names) {
    await post(collector, requestOf(name))
    // The Collector logs that it is ready before it handles signals, so an early SIGTERM could lose records.
    await collector.restart()
  }
  await collector.stop()
  expect(namesIn(collector)).toEqual(names)
})

testCollector('a Collector accepts OTLP over gRPC', async () => {
  const collector = await startCollector(directory.path('grpc'))
  const exporter = new OTLPLogExporter({ url: `http://${collector.grpcAddress}` })
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  provider.getLogger('grpc').emit({ eventName: 'a' })
  await collector.atLeast(1)
  await provider.shutdown()
  await collector.stop()
  expect(namesIn(collector)).toEqual(['a'])
})

testCollector('records in the file of a Collector survive SIGKILL', async () => {
  const collector = await startCollector(directory.path('killed'))
  await post(collector, requestOf('a'))
  await collector.atLeast(1)
  await collector.kill('SIGKILL')
  await collector.restart()
  await post(collector, requestOf('b'))
  await collector.stop()
  expect(namesIn(collector)).toEqual(['a', 'b'])
})

testCollector('a Collector with a full queue responds with 503 without Retry-After', async () => {
  const unusedAddress = 'http://127.0.0.1:1'
  const retry_on_failure = { max_elapsed_time: 0 }
  const collector = await startCollector(directory.path('full'), {
    config: {
      exporters: {
        'otlp_http/next': {
          endpoint: unusedAddress,
          sending_queue: { queue_size: 1, num_consumers: 1 },
          retry_on_failure,
        },
      },
      service: { pipelines: { logs: { exporters: ['otlp_http/next'] } } },
    },
  })
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(collector, requestOf('a'))))
  const refused = answers.filter(({ status }) => status === 503)
  // One request is queued, and one is in flight.
  expect(refused.length).toBeGreaterThanOrEqual(6)
  expect(refused[0]!.headers.has('retry-after')).toBe(false)
  expect(await refused[0]!.json()).toMatchObject({ message: 'sending queue is full' })
  await collector.kill('SIGKILL')
})

testCollector('a Collector at its memory limit responds with 503', async () => {
  const memory_limiter = { check_interval: '10ms', limit_mib: 1 }
  const collector = await startCollector(directory.path('memory'), {
    config: {
      processors: { memory_limiter },
      service: { pipelines: { logs: { processors: ['memory_limiter'] } } },
    },
  })
  // The limit applies only after the first check.
  let answer = await post(collector, requestOf('early'))
  while (answer.ok) answer = await post(collector, requestOf('early'))
  expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, false])
  await collector.kill('SIGKILL')
})

testTls('a Collector with a certificate accepts only HTTPS', async () => {
  const [key, cert] = [directory.path('key.pem'), directory.path('cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  execFileSync('openssl', [...options, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const collector = await startCollector(directory.path('tls'), {
    config: { receivers: { otlp: { protocols: { http: { tls: { cert_file: cert, key_file: key } } } } } },
  })
  expect((await post(collector, requestOf('plain'))).status).toBe(400)
  const status = await new Promise((resolve, reject) => {
    const url = `${collector.httpUrl.replace('http:', 'https:')}/v1/logs`
    const headers = { 'content-type': 'application/json' }
    request(url, { method: 'POST', headers, ca: readFileSync(cert), agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end(requestOf('secret'))
  })
  await collector.stop()
  expect([status, namesIn(collector)]).toEqual([200, ['secret']])
})

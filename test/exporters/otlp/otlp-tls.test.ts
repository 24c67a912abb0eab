import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals'
import { writeFileSync } from 'node:fs'
import type { TLSSocket } from 'node:tls'
import type { OtlpTls } from '../../../src/exporters/otlp/tls.ts'
import { fakeCollector, accept, type CollectorTls, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { needs } from '../../support/needs.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { authorityIn, hasOpenssl, type Authority, type Certificate } from './certificates.ts'
import { die } from './exit-runs.ts'
import { closeLoggers, numbers, otlpLogger } from './otlp-logger.ts'

const test = needs('openssl', hasOpenssl())

let directory: TemporaryDirectory
let authority: Authority
let server: Certificate
let collector: FakeCollector | undefined

beforeAll(() => {
  directory = temporaryDirectory()
  if (!hasOpenssl()) return
  authority = authorityIn(directory.path('.'))
  server = authority.issue('localhost')
})
afterEach(async () => {
  await closeLoggers()
  await collector?.close()
  collector = undefined
})
afterAll(() => directory.remove())

async function collectorWith(tls?: CollectorTls): Promise<FakeCollector> {
  return (collector = await fakeCollector(tls))
}

/** Logs ten records. Returns their delivery statistics and the first diagnostic message. */
async function sent(url: string, tls: OtlpTls | undefined, env = {}) {
  const { log, logAll, deliveryStats, problems } = otlpLogger(
    { url, retry: { maxElapsedMillis: 60 }, ...(tls === undefined ? {} : { tls }) },
    env,
  )
  logAll(10)
  await waitUntil(() => deliveryStats().queued === 0)
  await log.shutdown()
  return { ...deliveryStats(), message: problems[0]?.message }
}

// Requirements: OTL16
describe('valid certificates', () => {
  test('the CA certificate is read from PEM text, bytes, a file and an environment variable', async () => {
    const { url } = await collectorWith(server)
    const { ca, caFile } = authority
    expect(await sent(url, { ca })).toMatchObject({ written: 10 })
    expect(await sent(url, { ca: [Buffer.from(ca)] })).toMatchObject({ written: 10 })
    expect(await sent(url, { caFile })).toMatchObject({ written: 10 })
    const env = { OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere', OTEL_EXPORTER_OTLP_LOGS_CERTIFICATE: caFile }
    expect(await sent(url, undefined, env)).toMatchObject({ written: 10 })
  })

  test('the certificate of the server is verified against the servername option', async () => {
    const { url } = await collectorWith(authority.issue('collector.example', 'DNS:collector.example'))
    expect(await sent(url, { ca: authority.ca, servername: 'collector.example' })).toMatchObject({ written: 10 })
  })

  test('a client certificate is sent when the server requests one', async () => {
    const { url } = await collectorWith({ ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: true })
    const client = authority.issue('client')
    expect(await sent(url, { ca: authority.ca, ...client })).toMatchObject({ written: 10 })
    writeFileSync(directory.path('own.pem'), client.cert)
    writeFileSync(directory.path('own.key'), client.key)
    const env = {
      OTEL_EXPORTER_OTLP_CERTIFICATE: authority.caFile,
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: directory.path('own.pem'),
      OTEL_EXPORTER_OTLP_CLIENT_KEY: directory.path('own.key'),
    }
    expect(await sent(url, undefined, env)).toMatchObject({ written: 10 })
  })
})

test('the certificates are verified at process exit too', async () => {
  const { url } = await collectorWith(server)
  const { deliveryStats } = await die({ way: 'exit', url, exporter: { tls: { caFile: authority.caFile } } })
  expect(collector!.sequence).toEqual(numbers(1_000))
  expect(deliveryStats).toMatchObject({ written: 1_000 })
  const wrong = await die({ way: 'exit', url })
  expect(wrong.deliveryStats).toMatchObject({ written: 0, dropped: { byReason: { exit_deadline: 1_000 } } })
})

// Fault rows: 43
describe('invalid certificates and connections', () => {
  const lost = { written: 0, unknown: 0, dropped: { byReason: { retry_exhausted: 10 } } }

  test('a certificate of an unknown authority is rejected and reported', async () => {
    const { url } = await collectorWith(server)
    const result = await sent(url, undefined)
    expect(result).toMatchObject(lost)
    expect(result.message).toMatch(/has a certificate that failed verification \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/)
  })

  test.each<[string, () => CollectorTls, string]>([
    ['of another host', () => authority.issue('x', 'DNS:other.example'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', () => authority.issue('x', undefined, -1), 'CERT_HAS_EXPIRED'],
    ['that is self-signed', () => authority.selfSigned('x', 'IP:127.0.0.1'), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('a certificate %s is rejected and reported', async (_title, certificate, code) => {
    const { url, received } = await collectorWith(certificate())
    const result = await sent(url, { ca: authority.ca })
    expect(result).toMatchObject(lost)
    expect(result.message).toContain(`has a certificate that failed verification (${code})`)
    expect(received).toHaveLength(0)
  })

  test('an invalid certificate is rejected even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const { url, received } = await collectorWith(server)
    const exporter = { scheduledDelayMillis: 1 }
    const { deliveryStats } = await die({ way: 'exit', url, afterMillis: 300, exporter }, [], {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    })
    expect(deliveryStats).toMatchObject({ written: 0, dropped: { total: 1_000 } })
    expect(received).toHaveLength(0)
  })

  test('no record is delivered without a client certificate that the server requires', async () => {
    const tls = { ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: true }
    const { url, received } = await collectorWith(tls)
    expect(await sent(url, { ca: authority.ca })).toMatchObject({ written: 0, queued: 0 })
    expect(received).toHaveLength(0)
  })

  test('a server that supports only TLS 1.1 and older is rejected', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const { url, received } = await collectorWith({ ...server, ...old })
    expect(await sent(url, { ca: authority.ca })).toMatchObject(lost)
    expect(received).toHaveLength(0)
  })

  test('records are dropped when only one of the exporter and the server uses TLS', async () => {
    const plain = await collectorWith()
    const toPlain = await sent(plain.url.replace('http:', 'https:'), undefined)
    expect(toPlain).toMatchObject(lost)
    expect(toPlain.message).toContain('did not respond (')
    await plain.close()
    const secure = await collectorWith(server)
    expect(await sent(secure.url.replace('https:', 'http:'), undefined)).toMatchObject({ written: 0, queued: 0 })
    expect(secure.received).toHaveLength(0)
  })

  test.each<[string, () => OtlpTls]>([
    ['a missing file', () => ({ caFile: directory.path('none.pem') })],
    ['a key of another certificate', () => ({ cert: server.cert, key: authority.issue('x').key })],
    ['an invalid PEM', () => ({ key: 'hunter2', cert: 'hunter2' })],
  ])('records are dropped and reported for a tls option with %s', async (_title, tls) => {
    const { url } = await collectorWith(server)
    const result = await sent(url, tls())
    expect(result).toMatchObject(lost)
    expect(result.message).not.toContain('hunter2')
    expect(result.message).toMatch(/was not called: a certificate or key file cannot be read|did not respond \(/)
  })
})

// Fault rows: 43
test('a renewed client certificate is used without a restart', async () => {
  const { url, respondAlways } = await collectorWith({
    ...server,
    ca: authority.ca,
    requestCert: true,
    rejectUnauthorized: true,
  })
  const names: string[] = []
  respondAlways((response, request) => {
    names.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
    accept(response, request)
  })
  const [certFile, keyFile] = [directory.path('client.pem'), directory.path('client.key')]
  const install = (name: string, days?: number) => {
    const { cert, key } = authority.issue(name, undefined, days)
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
  }
  install('expired', -1)
  const { log, logAll, deliveryStats } = otlpLogger({ url, tls: { caFile: authority.caFile, certFile, keyFile } })
  logAll(5)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(deliveryStats()).toMatchObject({ written: 0, queued: 5 })
  install('client-1')
  await log.flush()
  install('client-2')
  logAll(5)
  await log.flush()
  expect(names).toEqual(['client-1', 'client-2'])
  expect(collector!.sequence).toEqual(numbers(10))
  expect(deliveryStats()).toMatchObject({ written: 10 })
  await log.shutdown()
})

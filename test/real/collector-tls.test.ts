import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals'
import { writeFileSync } from 'node:fs'
import type { OtlpTls } from '../../src/exporters/otlp/tls.ts'
import { authorityIn, hasOpenssl, type Authority } from '../exporters/otlp/certificates.ts'
import { closeLoggers, numbers, otlpLogger } from '../exporters/otlp/otlp-logger.ts'
import { type Collector, hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'

const testTls = needs('openssl or the Collector (`npm run real-parts`)', hasCollector && hasOpenssl())
const directory = temporaryDirectory()
let authority: Authority
let collector: Collector

beforeAll(async () => {
  if (!hasCollector || !hasOpenssl()) return
  authority = authorityIn(directory.path('.'))
  const server = authority.issue('collector')
  writeFileSync(directory.path('server.pem'), server.cert)
  writeFileSync(directory.path('server.key'), server.key)
  const tls = {
    cert_file: directory.path('server.pem'),
    key_file: directory.path('server.key'),
    client_ca_file: authority.caFile,
  }
  collector = await startCollector(directory.path('collector'), {
    config: { receivers: { otlp: { protocols: { http: { tls } } } } },
  })
})
afterEach(closeLoggers)
afterAll(() => directory.remove())

/** Logs ten records. Returns the delivery statistics and the first diagnostic. */
async function sent(tls: OtlpTls) {
  const url = `${collector.httpUrl.replace('http:', 'https:')}/v1/logs`
  const { log, logAll, deliveryStats, problems } = otlpLogger({ url, tls, retry: { maxElapsedMillis: 60 } })
  logAll(10)
  await log.shutdown()
  return { ...deliveryStats(), message: problems[0]?.message }
}

// Requirements: OTL16
// Fault rows: 43
describe('a Collector that requires client certificates', () => {
  testTls('the Collector accepts records with a client certificate of its authority', async () => {
    const before = collector.records().length
    expect(await sent({ ca: authority.ca, ...authority.issue('client') })).toMatchObject({ written: 10 })
    const records = (await collector.atLeast(before + 10)).slice(before)
    expect(records.map(({ attributes }) => attributes[0]!.value)).toEqual(
      numbers(10).map((seq) => ({ intValue: String(seq) })),
    )
  })

  testTls.each<[string, () => OtlpTls, string]>([
    ['without a certificate', () => ({}), 'ALERT_CERTIFICATE_REQUIRED'],
    ['with a self-signed certificate', () => authority.selfSigned('client', 'IP:127.0.0.1'), 'ALERT_UNKNOWN_CA'],
    ['with an expired certificate', () => authority.issue('client', undefined, -1), 'ALERT_CERTIFICATE_EXPIRED'],
  ])(
    'records sent %s are rejected by the Collector, counted, and reported with the reason',
    async (_title, client, reason) => {
      const before = collector.records().length
      const { written, queued, unknown, dropped, message } = await sent({ ca: authority.ca, ...client() })
      expect([written, queued, unknown, dropped.total]).toEqual([0, 0, 0, 10])
      expect(message).toMatch(new RegExp(`rejected the client certificate \\(\\S*${reason}\\)`))
      // Records are stored in order, so rejected ones would precede these.
      await sent({ ca: authority.ca, ...authority.issue('client') })
      expect(await collector.atLeast(before + 10)).toHaveLength(before + 10)
    },
  )

  testTls('no records are sent to a Collector whose certificate is of an unknown authority', async () => {
    const { written, unknown, dropped, message } = await sent({ ...authority.issue('client') })
    expect([written, unknown, dropped.byReason.retry_exhausted]).toEqual([0, 0, 10])
    expect(message).toContain('has a certificate that failed verification (UNABLE_TO_VERIFY_LEAF_SIGNATURE)')
  })
})

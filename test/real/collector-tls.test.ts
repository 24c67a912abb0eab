import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { writeFileSync } from 'node:fs'
import type { OtlpTls } from '../../src/exporters/otlp/tls.ts'
import { authorityIn, hasOpenssl, type Authority } from '../exporters/otlp/certificates.ts'
import { closeLoggers, numbers, otlpLogger } from '../exporters/otlp/otlp-logger.ts'
import { type Collector, collectorIsThere, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'

const testTls = collectorIsThere ? needs('openssl', hasOpenssl()) : test.skip
const directory = temporaryDirectory()
let authority: Authority
let collector: Collector

beforeAll(async () => {
  if (!collectorIsThere || !hasOpenssl()) return
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

/** Logs ten records. Returns what became of them, and what was told first. */
async function sent(tls: OtlpTls) {
  const url = `${collector.httpUrl.replace('http:', 'https:')}/v1/logs`
  const { log, logAll, ledger, problems } = otlpLogger({ url, tls, retry: { maxElapsedMillis: 60 } })
  logAll(10)
  await log.shutdown()
  return { ...ledger(), message: problems[0]?.message }
}

describe('a Collector that wants a certificate of its clients (row 43, OTL16)', () => {
  testTls('takes what comes with one of its authority', async () => {
    const before = collector.records().length
    expect(await sent({ ca: authority.ca, ...authority.issue('client') })).toMatchObject({ written: 10 })
    const records = (await collector.atLeast(before + 10)).slice(before)
    expect(records.map(({ attributes }) => attributes[0]!.value)).toEqual(
      numbers(10).map((seq) => ({ intValue: String(seq) })),
    )
  })

  testTls.each<[string, () => OtlpTls, string]>([
    ['without one', () => ({}), 'ALERT_CERTIFICATE_REQUIRED'],
    ['with one that nobody signed', () => authority.selfSigned('client', 'IP:127.0.0.1'), 'ALERT_UNKNOWN_CA'],
    ['with one that has expired', () => authority.issue('client', undefined, -1), 'ALERT_CERTIFICATE_EXPIRED'],
  ])('refuses what comes %s, which is told with the reason and counted', async (_title, client, reason) => {
    const before = collector.records().length
    const { written, queued, unknown, dropped, message } = await sent({ ca: authority.ca, ...client() })
    expect([written, queued, unknown, dropped.total]).toEqual([0, 0, 0, 10])
    expect(message).toMatch(new RegExp(`did not accept this client's certificate \\(\\S*${reason}\\)`))
    // What is sent after it would stand behind it.
    await sent({ ca: authority.ca, ...authority.issue('client') })
    expect(await collector.atLeast(before + 10)).toHaveLength(before + 10)
  })

  testTls('is not sent to when its own certificate is of an authority that nobody named', async () => {
    const { written, unknown, dropped, message } = await sent({ ...authority.issue('client') })
    expect([written, unknown, dropped.byReason.retry_exhausted]).toEqual([0, 0, 10])
    expect(message).toContain('has a certificate that is not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)')
  })
})

import { afterAll, expect } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled } from '../../scripts/real-parts/install.ts'
import { agent } from '../../scripts/real-parts/otelcol.ts'
import { folderOf } from '../../scripts/real-parts/part.ts'
import { textOf } from '../docs/ingest-texts.ts'
import { hasCollector, startCollector } from '../support/otlp/collector.ts'
import { criLog, dockerLog } from '../support/values/container-lines.ts'
import { createTestLogger } from '../support/files/test-logger.ts'
import { needs } from '../support/needs.ts'
import type { OtlpRecord, OtlpValue } from '../support/otlp/records.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { span } from '../support/values/records.ts'
import { startProgram } from '../support/processes/start-program.ts'

const testFiles = needs('the Collectors (`npm run real-parts`)', hasCollector && isInstalled(agent))
const directory = temporaryDirectory()
const guide = textOf('OpenTelemetry Collector', 'yaml', 'receivers:')

afterAll(() => directory.remove())

/** Returns the records that a Collector with the configuration of the guide reads from a container log. */
async function recordsIn(name: string, log: Buffer, count: number, text = guide): Promise<OtlpRecord[]> {
  const folder = directory.path(name)
  const container = join(folder, 'pods/web_shop-5d78_49cc7c1fd3702c40b2686ea7486091d6/checkout')
  mkdirSync(container, { recursive: true })
  writeFileSync(join(container, '0.log'), log)
  const configuration = join(folder, 'agent.yaml')
  writeFileSync(configuration, text.replace('/var/log/pods', join(folder, 'pods')))

  const next = await startCollector(folder)
  const rest = {
    receivers: { filelog: { start_at: 'beginning' } },
    exporters: { otlp_http: { endpoint: next.httpUrl } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { logs: { receivers: ['filelog'], exporters: ['otlp_http'] } },
    },
  }
  const reader = await startProgram({
    command: join(folderOf(agent), agent.mainFile),
    args: ['--config', configuration, '--config', `yaml:${JSON.stringify(rest)}`],
    env: { TZ: 'Asia/Tokyo' }, // lines are in UTC in any time zone
    ready: /Everything is ready/,
    handlesSignalsLate: true,
  })
  await next.atLeast(count)
  await reader.stop()
  expect(await reader.ended).toBe(0)
  await next.stop()
  return next.records()
}

/** Returns the configuration with the guide's operators for Docker instead of CRI. */
function forDocker(): string {
  const operators = textOf('OpenTelemetry Collector', 'yaml', 'operators:').replace('operators:\n', '')
  return guide.replace('      - type: container\n', operators.replaceAll(/^/gm, '    ').trimEnd() + '\n')
}

const attributesOf = ({ attributes }: OtlpRecord): Record<string, OtlpValue> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value]))

testFiles(
  'the Collector with the configuration of the guide parses lines into records with pod, time, level and trace',
  async () => {
    const { log, exporter } = createTestLogger({
      levels: { notice: 10 },
      clock: () => Date.UTC(2026, 10, 21, 9, 56, 3, 123),
    })
    const order = log.child({ region: 'eu' }, { context: trace.setSpanContext(ROOT_CONTEXT, span) })
    order.error('order {orderId} failed', { orderId: 43, paid: 12.5, card: { type: 'visa' } })
    log.notice('three left')
    const [failed, noticed, plain] = await recordsIn('lines', criLog(exporter.text() + 'not JSON\n'), 3)

    expect(failed).toMatchObject({
      timeUnixNano: '1795254963123000000',
      severityNumber: 17,
      severityText: 'error',
      body: { stringValue: 'order 43 failed' },
      traceId: span.traceId,
      spanId: span.spanId,
      flags: span.traceFlags,
    })
    expect(attributesOf(failed!)).toMatchObject({
      region: { stringValue: 'eu' },
      orderId: { intValue: '43' },
      paid: { doubleValue: 12.5 },
      card: { kvlistValue: { values: [{ key: 'type', value: { stringValue: 'visa' } }] } },
      level: { stringValue: 'error' },
      trace_id: { stringValue: span.traceId },
    })
    expect(Object.fromEntries(failed!.resource.attributes.map(({ key, value }) => [key, value]))).toMatchObject({
      'k8s.namespace.name': { stringValue: 'web' },
      'k8s.pod.name': { stringValue: 'shop-5d78' },
      'k8s.container.name': { stringValue: 'checkout' },
    })
    expect(noticed).toMatchObject({ severityNumber: 10, severityText: 'notice', body: { stringValue: 'three left' } })
    expect(plain).toMatchObject({ severityNumber: 0, body: { stringValue: 'not JSON' } })
  },
)

testFiles('the Collector joins lines that CRI split, even inside a character', async () => {
  const body = 'naïve 😀'.repeat(15_000)
  const { log, exporter } = createTestLogger()
  for (let shift = 0; shift < 4; shift++) log.info('x'.repeat(shift), { body })
  const split = criLog(exporter.text())
  expect(split.toString('latin1').match(/ stdout P /g)!.length).toBeGreaterThan(4 * 5)
  const records = await recordsIn('split', split, 4)
  expect(records.map((record) => record.body)).toEqual(['', 'x', 'xx', 'xxx'].map((stringValue) => ({ stringValue })))
  for (const record of records) expect(attributesOf(record)['body']).toEqual({ stringValue: body })
})

testFiles('the Collector joins lines that Docker split with the operators of the guide', async () => {
  const body = 'a"b\\'.repeat(20_000)
  const { log, exporter } = createTestLogger()
  log.info('before')
  log.info('long', { body })
  log.info('after')
  const split = dockerLog(exporter.text())
  const records = await recordsIn('docker', split, 3, forDocker())
  expect(records.map((record) => record.body)).toEqual(
    ['before', 'long', 'after'].map((stringValue) => ({ stringValue })),
  )
  expect(attributesOf(records[1]!)['body']).toEqual({ stringValue: body })
  expect((await recordsIn('docker-in-pieces', split, 3)).length).toBeGreaterThan(3)
})

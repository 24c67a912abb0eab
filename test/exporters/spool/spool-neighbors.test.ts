import { afterEach, expect, test } from '@jest/globals'
import { LoggerProvider } from '@opentelemetry/sdk-logs'
import { memoryExporter, otlpExporter, spool } from '../../../src/entries/exporters.ts'
import { createLogger } from '../../../src/entries/index.ts'
import { PipelineLogRecordProcessor } from '../../../src/entries/otel.ts'
import { fakeCollector, neverRespond, status, accept } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, folder } from './spool-logger.ts'

afterEach(closeSpools)

const maxBytes = 2 ** 20
const retry = { initialDelayMillis: 20, maxDelayMillis: 50 }

// Fault rows: 37
test('records of an SDK processor are spooled while the collector is down, and delivered later', async () => {
  const server = await fakeCollector()
  server.respondAlways(status(503))
  const exporter = spool(otlpExporter({ url: server.url, retry }), { directory: folder(), maxBytes })
  const processor = new PipelineLogRecordProcessor({ exporter })
  const logger = new LoggerProvider({ processors: [processor] }).getLogger('sdk')
  for (let seq = 0; seq < 3; seq++) logger.emit({ body: 'waits', attributes: { seq } })
  await processor.forceFlush()
  expect(processor.stats()).toMatchObject({ written: 3, dropped: { total: 0 } })
  expect(exporter.spoolStats()).toMatchObject({ spooled: 3, waiting: 3 })
  server.respondAlways(accept)
  await waitUntil(() => exporter.spoolStats().waiting === 0)
  await processor.shutdown()
  expect(new Set(server.sequence)).toEqual(new Set([0, 1, 2]))
  await server.close()
})

// Fault rows: 46
test('an exporter next to a spool receives its records immediately while the spool waits', async () => {
  const server = await fakeCollector()
  server.respondAlways(neverRespond)
  const memory = memoryExporter()
  const spooled = spool(otlpExporter({ url: server.url, retry }), { directory: folder(), maxBytes })
  const log = createLogger({ exporter: [spooled, memory] })
  for (let seq = 0; seq < 3; seq++) log.info('both', { seq })
  expect(memory.records.map(({ attributes }) => attributes)).toEqual([{ seq: 0 }, { seq: 1 }, { seq: 2 }])
  await log.flush({ timeoutMillis: 10_000 })
  const [spoolStats, memoryStats] = log.stats().exporters
  expect(spoolStats).toMatchObject({ written: 3, queued: 0, dropped: { total: 0 } })
  expect(memoryStats).toMatchObject({ written: 3, queued: 0, dropped: { total: 0 } })
  await log.shutdown({ timeoutMillis: 3_000 })
  await server.close()
})

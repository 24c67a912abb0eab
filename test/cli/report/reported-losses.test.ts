import { describe, expect, it } from '@jest/globals'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { createLogger } from '../../../src/create/create-logger.ts'
import { RecordReader } from '../../../src/read/lines/record-reader.ts'
import { ReportedLosses } from '../../../src/cli/report/reported-losses.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'
import { readRecord } from '../support/read-records.ts'

function lossesOf(lines: string): ReportedLosses {
  const losses = new ReportedLosses()
  const sink = { record: (record: Parameters<ReportedLosses['add']>[0]) => losses.add(record), text: () => {} }
  const reader = new RecordReader({ file: 'app.log', sink })
  reader.read({ bytes: Buffer.from(lines), firstLine: 1, offset: 0, isEnd: true })
  return losses
}

describe('ReportedLosses', () => {
  it.each([
    ['JSON lines', jsonLines()],
    ['OTLP/JSON', otlpJsonLines()],
  ])('adds up what a logger cuts in %s', (_, encoding) => {
    const limits = { depth: 2, attributes: 4, items: 2, stringLength: 30 }
    const { log, exporter } = createTestLogger({ limits }, capturingExporter(encoding))
    log.info('a short message', {
      text: 'x'.repeat(100),
      list: [1, 2, 3, 4, 5],
      object: { a: 1, b: 2, c: 3, d: 4 },
      deep: { a: { b: { c: 1 } }, list: [[1, 2]] },
      more: 1,
      andMore: 2,
    })
    log.info('nothing is missing here')
    const losses = lossesOf(exporter.text())
    expect(losses).toMatchObject({
      droppedAttributes: 2,
      cutRecords: 1,
      cutCharacters: 100 - exporter.text().match(/x{2,}/)![0].length,
      cutItems: 5,
      cutKeys: 3,
      reports: 0,
    })
    expect(losses.hasLosses).toBe(true)
  })

  it('adds up the bytes of values that are cut from a long record', () => {
    const { log, exporter } = createTestLogger({ limits: { recordBytes: 1_024 } })
    log.info('long', { list: Array.from({ length: 500 }, (_, index) => index) })
    const [, bytes] = /\[Cut: (\d+) bytes\]/.exec(exporter.text()) ?? []
    expect(lossesOf(exporter.text())).toMatchObject({ cutRecords: 1, cutBytes: Number(bytes) })
  })

  it('adds up the drop reports of a logger', async () => {
    const lines: string[] = []
    const opened = Promise.withResolvers<void>()
    const slow: Exporter = {
      name: 'slow',
      encoding: jsonLines(),
      schedule: 'turn',
      delivery: { maxQueueBytes: 2_000, onFull: 'dropLowest' },
      async export(batch) {
        await opened.promise
        lines.push(batch.text())
        return { status: 'accepted' }
      },
    }
    const log = createLogger({ exporter: slow, handleExit: false, onDiagnostic: () => {} })
    for (let count = 0; count < 100; count++) log.info('progress', { count })
    for (let count = 0; count < 5; count++) log.error('failure', { count })
    opened.resolve()
    await log.flush()
    await log.shutdown()
    const { dropped } = log.stats()
    const losses = lossesOf(lines.join(''))
    expect(dropped.total).toBeGreaterThan(0)
    expect(losses.dropped).toBe(dropped.total)
    expect(Object.fromEntries(losses.droppedByReason)).toEqual({ queue_full: dropped.byReason.queue_full })
    expect(Object.fromEntries(losses.droppedByLevel)).toMatchObject({ info: dropped.byLevel.info })
  })

  it('ignores counts that are not integers of 0 or more', () => {
    const losses = new ReportedLosses()
    for (const dropped of [-1, 1.5, NaN, 'many', null, true, 2n ** 80n]) {
      losses.add(readRecord({ eventName: 'sluice.records_dropped', attributes: { dropped } }))
    }
    losses.add(readRecord({ eventName: 'sluice.records_dropped', attributes: { dropped: '7' } }))
    expect(losses).toMatchObject({ reports: 8, dropped: 7 })
  })

  it('ignores text that only contains a marker', () => {
    const losses = new ReportedLosses()
    losses.add(readRecord({ message: 'it ended with …[+5 characters] once' }))
    losses.add(readRecord({ message: '[+x items]', attributes: { '[truncated]': 'no' } }))
    expect(losses.hasLosses).toBe(false)
  })
})

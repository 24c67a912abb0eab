import { expect, test } from '@jest/globals'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { batchOf } from '../../support/pipeline/batch.ts'

function line(message: string): string {
  return `${JSON.stringify({ timestamp: '2026-11-21T09:56:03.123Z', level: 'info', message })}\n`
}

test('memoryExporter keeps parsed records, and evicts the oldest over maxRecords', () => {
  const exporter = memoryExporter({ maxRecords: 2 })
  const { records } = exporter
  expect(exporter.export(batchOf([line('a'), line('b')]), undefined)).toEqual({ status: 'accepted' })
  expect(exporter.exportSync!(batchOf([line('c')]), 0, false)).toEqual({ status: 'accepted' })
  expect(records.map(({ message }) => message)).toEqual(['b', 'c'])
  expect(exporter.evicted).toBe(1)
  exporter.clear()
  expect(exporter.records).toBe(records)
  expect([records.length, exporter.evicted]).toEqual([0, 0])
})

test('memoryExporter rejects invalid options', () => {
  expect(() => memoryExporter({ maxRecords: 0 })).toThrow('memoryExporter.maxRecords: must be an integer of 1 or more')
})

// Requirements: EXP2
test('memoryExporter rejects records after shutdown and keeps the earlier ones', async () => {
  const exporter = memoryExporter()
  exporter.export(batchOf([line('a')]), undefined)
  await exporter.shutdown!()
  expect(exporter.export(batchOf([line('b')]), undefined)).toMatchObject({ status: 'rejected', accepted: 0 })
  expect(exporter.records.map(({ message }) => message)).toEqual(['a'])
})

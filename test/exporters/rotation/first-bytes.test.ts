import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fileExporter, type FileExporterOptions } from '../../../src/exporters/file/file-exporter.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { filesOf } from '../../support/files/rotated.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

// Requirements: FIL6
test.each([
  ['json', 60_000],
  ['otlpJson', 3_000],
] as const)(
  'files of the smallest size differ in their first 1000 bytes even when all records are equal: %s',
  async (format, records) => {
    const path = directory.path(`same-${format}.log`)
    const options: FileExporterOptions = { path, format, rotate: { size: 1_000_000 } }
    // The resource before a record must not push its timestamp out of these bytes.
    const log = createLogger({ exporter: fileExporter(options), resource: { 'host.name': 'h'.repeat(2_000) } })
    for (let index = 0; index < records; index++) log.info('same')
    await log.shutdown()
    const files = filesOf(path)
    expect(files.length).toBeGreaterThan(3)
    expect(new Set(files.map(({ text }) => text.slice(0, 1_000))).size).toBe(files.length)
  },
)

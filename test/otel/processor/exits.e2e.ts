import { expect, test } from '@jest/globals'
import { importOf, runModule } from '../../support/processes/child.ts'
import { sdks } from './sdks.ts'

/** A program with `sdk`, `processor` behind a provider, and `emit(count)`. */
function program(index: number, processor: string, rest: string): string {
  return (
    importOf('{ sdks, StallingOtelExporter }', 'test/otel/processor/sdks.ts') +
    importOf('{ PipelineLogRecordProcessor }', 'src/otel/sdk/processor.ts') +
    importOf('{ fromLogRecordExporter }', 'src/otel/sdk/foreign-exporter.ts') +
    importOf('{ fdExporter }', 'src/entries/exporters.ts') +
    `
    const sdk = sdks[${index}]
    const stdout = {
      export(records, done) { for (const { body } of records) console.log(String(body)); done({ code: 0 }) },
      forceFlush: async () => {}, shutdown: async () => {},
    }
    const later = { ...stdout, export: (records, done) => void setTimeout(() => stdout.export(records, done), 20) }
    const processor = ${processor}
    const logger = new sdk.LoggerProvider({ processors: [processor] }).getLogger('a')
    const emit = (count) => { for (let i = 0; i < count; i++) logger.emit({ body: 'n' + i }) }
    ${rest}
    `
  )
}

const all = Array.from({ length: 100 }, (_, index) => `n${index}\n`).join('')

// Requirements: D15
test.each(sdks.map(({ name }, index) => [name, index] as const))(
  'a program that exits naturally exports all of its records (%s), unlike with the official processor',
  async (_, index) => {
    const ours = 'new PipelineLogRecordProcessor({ exporter: later, scheduledDelayMillis: 50 })'
    expect(await runModule(program(index, ours, 'emit(100)'))).toMatchObject({ code: 0, stdout: all, stderr: '' })
    const theirs = 'new sdk.BatchLogRecordProcessor({ exporter: later, scheduledDelayMillis: 50 })'
    expect(await runModule(program(index, theirs, 'emit(100)'))).toMatchObject({ code: 0, stdout: '' })
  },
)

// Requirements: D15
// Fault rows: 15
test('process.exit() loses no records with an exporter that can write synchronously', async () => {
  const ours = `new PipelineLogRecordProcessor({ exporter: fdExporter({ format: 'otlpJson' }), scheduledDelayMillis: 1_000 })`
  const { code, stdout } = await runModule(program(0, ours, 'emit(100); process.exit(3)'))
  expect(code).toBe(3)
  expect(stdout.trimEnd().split('\n')).toHaveLength(100)
})

// Requirements: D15
test('process.exit() reports the number of records that were not passed to an SDK exporter', async () => {
  const ours = 'new PipelineLogRecordProcessor({ exporter: later })'
  const { code, stdout, stderr } = await runModule(program(0, ours, 'emit(100); process.exit(3)'))
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toContain('SLUICE_RECORDS_LOST: 100 records could not be written to LogRecordExporter')
})

// Requirements: D12
test('an exporter that throws does not keep the process alive, unlike with the official processor', async () => {
  const throwing = '{ ...stdout, export() { throw new Error("no") } }'
  const ours = await millisAfterFailure(
    `new PipelineLogRecordProcessor({ exporter: ${throwing}, scheduledDelayMillis: 10, onDiagnostic() {} })`,
  )
  const theirs = await millisAfterFailure(
    `new sdk.BatchLogRecordProcessor({ exporter: ${throwing}, exportTimeoutMillis: 2_000 })`,
  )
  expect(theirs).toBeGreaterThan(1_900)
  expect(ours).toBeLessThan(1_000)
})

test('an exporter that never calls back does not keep a process alive after the shutdown', async () => {
  const silent = 'fromLogRecordExporter({ ...stdout, export() {} }, { exportTimeoutMillis: 50, retry: false })'
  const ours = `new PipelineLogRecordProcessor({ exporter: ${silent}, onDiagnostic() {} })`
  const rest = 'emit(1); await processor.shutdown().catch(({ message }) => console.log(message))'
  const { code, stdout } = await runModule(program(0, ours, rest))
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'not all records were exported: 1 may have arrived\n' })
})

/** Returns how long a program runs after a failed export, in ms. */
async function millisAfterFailure(processor: string): Promise<number> {
  const flushed = `
    emit(1)
    const start = performance.now()
    process.once('exit', () => console.log(Math.round(performance.now() - start)))
    await processor.forceFlush().catch(() => {})`
  const { code, stdout } = await runModule(program(0, processor, flushed))
  expect(code).toBe(0)
  return Number(stdout)
}

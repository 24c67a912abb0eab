import { expect, test } from '@jest/globals'
import { importOf, runModule } from '../../support/processes/child.ts'
import { lines } from './lines.ts'

/** A program with `sdk`, `processor` behind a provider, and `emit(count)`. */
function program(line: number, processor: string, rest: string): string {
  return (
    importOf('{ lines, StallingOtelExporter }', 'test/otel/processor/lines.ts') +
    importOf('{ PipelineLogRecordProcessor }', 'src/otel/sdk/processor.ts') +
    importOf('{ fromLogRecordExporter }', 'src/otel/sdk/foreign-exporter.ts') +
    importOf('{ fdExporter }', 'src/entries/exporters.ts') +
    `
    const sdk = lines[${line}]
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

test.each(lines.map(({ name }, line) => [name, line] as const))(
  'D15 a program that comes to its end has exported what it has said (%s); behind the official processor it has not',
  async (_, line) => {
    const ours = 'new PipelineLogRecordProcessor({ exporter: later, scheduledDelayMillis: 50 })'
    expect(await runModule(program(line, ours, 'emit(100)'))).toMatchObject({ code: 0, stdout: all, stderr: '' })
    const theirs = 'new sdk.BatchLogRecordProcessor({ exporter: later, scheduledDelayMillis: 50 })'
    expect(await runModule(program(line, theirs, 'emit(100)'))).toMatchObject({ code: 0, stdout: '' })
  },
)

test('D15 (row 15) process.exit() loses nothing that an exporter can write without the event loop', async () => {
  const ours = `new PipelineLogRecordProcessor({ exporter: fdExporter({ format: 'otlpJson' }), scheduledDelayMillis: 1_000 })`
  const { code, stdout } = await runModule(program(0, ours, 'emit(100); process.exit(3)'))
  expect(code).toBe(3)
  expect(stdout.trimEnd().split('\n')).toHaveLength(100)
})

test('D15 process.exit() tells how many records an exporter of the SDK did not get', async () => {
  const ours = 'new PipelineLogRecordProcessor({ exporter: later })'
  const { code, stdout, stderr } = await runModule(program(0, ours, 'emit(100); process.exit(3)'))
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toContain('SLUICE_RECORDS_LOST: 100 records could not be written to LogRecordExporter')
})

test('D12 an exporter that throws does not keep the process alive; behind the official processor it does', async () => {
  const throwing = '{ ...stdout, export() { throw new Error("no") } }'
  const ours = await held(
    `new PipelineLogRecordProcessor({ exporter: ${throwing}, scheduledDelayMillis: 10, onDiagnostic() {} })`,
  )
  const theirs = await held(`new sdk.BatchLogRecordProcessor({ exporter: ${throwing}, exportTimeoutMillis: 2_000 })`)
  expect(theirs).toBeGreaterThan(1_900)
  expect(ours).toBeLessThan(1_000)
})

test('an exporter that never answers does not keep a process alive that was shut down', async () => {
  const silent = 'fromLogRecordExporter({ ...stdout, export() {} }, { exportTimeoutMillis: 50, retry: false })'
  const ours = `new PipelineLogRecordProcessor({ exporter: ${silent}, onDiagnostic() {} })`
  const rest = 'emit(1); await processor.shutdown().catch(({ message }) => console.log(message))'
  const { code, stdout } = await runModule(program(0, ours, rest))
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'not everything was exported: 1 may have arrived\n' })
})

/** How long a program goes on after a failed export, in ms. */
async function held(processor: string): Promise<number> {
  const flushed = `
    emit(1)
    const start = performance.now()
    process.once('exit', () => console.log(Math.round(performance.now() - start)))
    await processor.forceFlush().catch(() => {})`
  const { code, stdout } = await runModule(program(0, processor, flushed))
  expect(code).toBe(0)
  return Number(stdout)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { runChild, runModule, importOf } from '../support/processes/child.ts'

const program = fileURLToPath(new URL('../support/processes/dropped-loggers.ts', import.meta.url))
const loggers = 1_000
/** Bytes per logger for finalizer tables and optimized code. A live logger takes 11,000 to 20,000. */
const mostBytes = 1_000

/** Every API that creates root loggers, and its destinations. */
const rows: readonly (readonly [
  kind: string,
  where: 'memory' | 'memory, as OTLP' | 'stdout' | 'file' | 'files',
  loggers?: number,
])[] = [
  ['createLogger', 'memory', 5_000],
  ['createLogger', 'stdout'],
  ['createLogger', 'file'],
  ['createLogger', 'files'],
  ['createLogger in front of a provider', 'memory'],
  ['a provider', 'memory'],
  ['a provider', 'stdout'],
  ['a provider', 'memory, as OTLP'],
  ['a provider whose resource is pending', 'memory, as OTLP'],
  ['a provider whose resource is pending', 'stdout'],
  ['PipelineLogRecordProcessor', 'memory'],
  ['PipelineLogRecordProcessor', 'memory, as OTLP'],
  ['PipelineLogRecordProcessor and a pending resource', 'memory, as OTLP'],
  ['pino', 'memory'],
  ['pino', 'stdout'],
  ['pino', 'file'],
  ['pino, synchronous', 'file'],
  ['pino, to a stream', 'memory'],
  ['bunyan', 'memory'],
  ['bunyan', 'stdout'],
  ['bunyan', 'file'],
  ['bunyan, a rotating file', 'file'],
  ['bole', 'stdout'],
  ['winston, a stream', 'stdout'],
  ['winston, the console', 'stdout'],
  ['winston, a file', 'file'],
  ['sluiceTransport', 'memory'],
  ['sluiceTransport', 'stdout'],
  ['captureLogs', 'memory'],
]

describe('loggers that are garbage collected without shutdown()', () => {
  test.each(rows.map(([kind, where, count = loggers]) => [kind, where, count] as const))(
    'collected loggers of %s that write to %s do not grow the heap and lose no record (%i)',
    async (kind, where, count) => {
      const directory = mkdtempSync(join(tmpdir(), 'sluice-dropped-'))
      try {
        const args = ['--expose-gc', program, kind, where, String(count), directory]
        const { code, stdout, stderr } = await runChild({ args, timeoutMillis: 55_000 })
        expect(code).toBe(0)
        const left = JSON.parse(stderr.trimEnd().split('\n').at(-1)!)
        expect(left.bytesPerLogger).toBeLessThan(mostBytes)
        expect(left.openFiles).toBeLessThan(10)
        // Records in memory cannot be counted from this process.
        const lines = where === 'stdout' ? stdout.split('\n').length - 1 : where === 'file' ? left.lines : left.created
        expect(lines).toBe(left.created)
      } finally {
        rmSync(directory, { recursive: true })
      }
    },
  )
})

const collected = `
  ${importOf('{ createLogger }', 'src/entries/index.ts')}
  ${importOf('{ jsonLines }', 'src/entries/core.ts')}
  import { setTimeout as after } from 'node:timers/promises'
  const delivered = []
  let closed = 0
  const slow = (answer) => ({
    name: 'slow', encoding: jsonLines(), schedule: { delayMillis: 300 }, delivery: {},
    async export(batch) { await after(100); if (answer) delivered.push(...batch.records()); return answer ? { status: 'accepted' } : { status: 'rejected', accepted: 0, reason: 'rejected' } },
    async shutdown() { closed++ },
  })
  const collect = async () => { for (let i = 0; i < 5; i++) { gc(); await after(5) } }
`

function run(text: string): ReturnType<typeof runChild> {
  return runChild({ args: ['--expose-gc', '--input-type=module', '--eval', collected + text] })
}

test('records that are queued when their logger is collected are exported, and then the exporter is shut down', async () => {
  const { stdout, stderr } = await run(`
    createLogger({ exporter: slow(true) }).info('late')
    await collect()
    const before = [delivered.length, closed]
    await after(600)
    await collect()
    console.log(JSON.stringify([before, [delivered.length, closed]]))`)
  expect({ stdout, stderr }).toEqual({ stdout: '[[0,0],[1,1]]\n', stderr: '' })
})

test('records that are queued when their logger is collected and the process exits are counted as lost', async () => {
  const { stderr } = await run(`
    createLogger({ exporter: slow(true) }).info('late')
    await collect()
    process.exit()`)
  expect(stderr).toContain('SLUICE_RECORDS_LOST: 1 record could not be written to slow')
})

test('a destination stays open for a logger when another logger that shares it is collected', async () => {
  const { stdout } = await run(`
    const kept = createLogger()
    createLogger().info('collected')
    await collect()
    kept.info('kept')
    await kept.flush()
    await collect()
    kept.info('last')`)
  expect(stdout.match(/collected|kept|last/g)).toEqual(['collected', 'kept', 'last'])
})

test('a reference to a method or a child keeps the logger alive', async () => {
  const { stdout } = await run(`
    const { info } = createLogger()
    const child = createLogger().child({ a: 1 })
    await collect()
    info('method')
    child.info('child')
    await collect()
    info('method')
    child.info('child')`)
  expect(stdout.match(/method|child/g)).toEqual(['method', 'child', 'method', 'child'])
})

test('shutdown() closes only its own logger of a shared destination', async () => {
  const { stdout } = await runModule(`
    ${importOf('{ createLogger }', 'src/entries/index.ts')}
    const one = createLogger(), other = createLogger()
    await one.shutdown()
    other.info('still here')`)
  expect(stdout).toContain('still here')
})

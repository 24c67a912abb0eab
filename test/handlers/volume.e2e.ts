import { describe, expect, test } from '@jest/globals'
import { importOf, runChild } from '../support/processes/child.ts'

const imports =
  importOf('{ createLogger }', 'src/entries/index.ts') +
  importOf('{ fdExporter, memoryExporter }', 'src/entries/exporters.ts') +
  importOf('{ budget, compose, dedupe, limit }', 'src/entries/handlers.ts')

/** Runs a program and returns its lines and its exit. */
async function run(program: string) {
  const args = ['--expose-gc', '--input-type=module', '--eval', imports + program]
  const { stdout, code, signal } = await runChild({ args, timeoutMillis: 120_000 })
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { lines, exit: signal ?? code }
}

test('a storm of a million equal errors in one window leaves the first one and one summary', async () => {
  const { lines } = await run(`
    const log = createLogger({ handler: dedupe({ windowMillis: 600_000 }) })
    const error = new Error('ECONNREFUSED')
    for (let request = 0; request < 1_000_000; request++) log.error('request {request} failed', { request }, error)
    await log.shutdown()
    const { filteredByReason, exporters: [{ emitted, accepted, filtered, written }] } = log.stats()
    console.log(JSON.stringify({ filteredByReason, emitted, accepted, filtered, written }))
  `)
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', message: 'request 0 failed' }),
    expect.objectContaining({
      level: 'error',
      message: expect.stringMatching(/^repeated 999,999 times in [\d.]+ s: request \{request\} failed$/),
      attributes: expect.objectContaining({ 'sluice.suppressed': 999_999, 'sluice.suppressed_by': 'dedupe' }),
    }),
    {
      filteredByReason: { dedupe: 999_999 },
      emitted: 1_000_001,
      accepted: 2,
      filtered: 999_999,
      written: 2,
    },
  ])
})

describe('the summary of suppressed records', () => {
  const endings: [string, string, number | string][] = [
    ['the process exits because nothing is left to do', '', 0],
    ['process.exit() is called', 'process.exit(3)', 3],
    ['an exception is not caught', "throw new Error('the end')", 1],
    ['a promise rejection is not handled', "Promise.reject(new Error('the end'))", 1],
    ['the process receives SIGTERM', "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1_000)", 'SIGTERM'],
  ]
  const programs: [string, string][] = [
    ['one exporter', 'createLogger({ handler: limit({ first: 1, windowMillis: 600_000 }) })'],
    [
      'several exporters',
      'createLogger({ exporter: [fdExporter(), fdExporter({ fd: 2 })], handler: budget({ bytesPerSecond: 1 }) })',
    ],
  ]
  test.each(
    programs.flatMap(([name, create]) => endings.map(([when, end, exit]) => [name, when, end, exit, create] as const)),
  )('with %s, it is written when %s', async (_name, _when, end, expectedExit, create) => {
    const { lines, exit } = await run(`
        const log = ${create}
        for (let count = 0; count < 5; count++) log.info('m')
        ${end}
      `)
    expect(lines.map(({ attributes }) => attributes?.['sluice.suppressed'])).toEqual([undefined, 4])
    expect(exit).toBe(expectedExit)
  })

  test('it is written to an exporter that needs the event loop', async () => {
    const { lines } = await run(`
      const exported = []
      const log = createLogger({
        handler: dedupe(),
        exporter: {
          ...memoryExporter(),
          exportSync: undefined,
          schedule: 'turn',
          async export(batch) {
            await new Promise((resolve) => setTimeout(resolve, 20))
            process.stdout.write(new TextDecoder().decode(batch.bytes()))
            return { status: 'accepted' }
          },
        },
      })
      for (let count = 0; count < 5; count++) log.info('m')
    `)
    expect(lines.map(({ attributes }) => attributes?.['sluice.suppressed'])).toEqual([undefined, 4])
  })

  test('a pending timer of a handler does not keep the process alive', async () => {
    const { lines } = await run(`
      const log = createLogger({ handler: limit({ first: 1, windowMillis: 2_000_000_000 }) })
      for (let count = 0; count < 5; count++) log.info('m')
    `)
    expect(lines).toHaveLength(2)
  })

  test('it is not written at exit with handleExit false, and the records remain counted', async () => {
    const { lines } = await run(`
      const log = createLogger({ handleExit: false, handler: dedupe() })
      for (let count = 0; count < 5; count++) log.info('m')
      process.on('exit', () => console.log(JSON.stringify(log.stats().filteredByReason)))
    `)
    expect(lines).toEqual([expect.objectContaining({ message: 'm' }), { dedupe: 4 }])
  })
})

test('a million different messages leave the heap flat', async () => {
  const { lines } = await run(`
    const quiet = { ...memoryExporter(), schedule: 'sync', export: () => ({ status: 'accepted' }), exportSync: () => ({ status: 'accepted' }) }
    const keyed = dedupe({ maxKeys: 1_000, by: (record) => 'key ' + record.body })
    const log = createLogger({ handler: compose(limit({ first: 1, maxKeys: 1_000 }), keyed), exporter: quiet })
    const used = () => (gc(), process.memoryUsage().heapUsed)
    for (let count = 0; count < 10_000; count++) log.info('message ' + count)
    const before = used()
    for (let count = 0; count < 1_000_000; count++) log.info('message ' + count)
    console.log(JSON.stringify({ grown: used() - before, limited: log.stats().filteredByReason.limit > 900_000 }))
  `)
  expect(lines.at(-1).limited).toBe(true)
  expect(lines.at(-1).grown).toBeLessThan(2_000_000)
})

test('loggers with a limit that are dropped without shutdown are garbage collected', async () => {
  const { lines } = await run(`
    const collected = new FinalizationRegistry(() => count++)
    let count = 0
    for (let index = 0; index < 200; index++) {
      const log = createLogger({ exporter: memoryExporter(), handler: limit({ first: 1 }) })
      log.info('m')
      collected.register(log, index)
    }
    for (let round = 0; round < 20 && count < 150; round++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      gc()
    }
    console.log(JSON.stringify({ count, listeners: process.listenerCount('exit') }))
  `)
  expect(lines.at(-1).count).toBeGreaterThan(100)
})

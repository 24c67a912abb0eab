import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importOf, runChild, runModule } from '../../support/processes/child.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Where programs with other packages than this one's stand. */
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-globals-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** A provider `ours` that keeps lines, `require` for packages, and all that is told. */
const setUp =
  importOf('{ createLoggerProvider }', 'src/otel/provider/provider.ts') +
  importOf('{ memoryExporter }', 'src/exporters/memory/memory-exporter.ts') +
  `import { createRequire } from 'node:module'
   const require = createRequire(process.cwd() + '/main.js')
   const memory = memoryExporter()
   const told = []
   const ours = createLoggerProvider({ exporter: memory, onDiagnostic: ({ code, message }) => told.push(code + ' ' + message) })
   const say = (value) => console.log(JSON.stringify(value))
   const messages = () => memory.records.map(({ message }) => message)
  `

/** What a program says, line by line, parsed. */
async function said(program: string, env: Record<string, string> = {}): Promise<unknown[]> {
  const { stdout, stderr } = await runModule(setUp + program, { env })
  expect(stderr).toBe('')
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

test('loggers of both lines reach it, those handed out before included, by import and by require (API2)', async () => {
  const output = await said(`
    import * as imported from '@opentelemetry/api'
    import * as importedLogs from '@opentelemetry/api-logs'
    const copies = [imported, require('@opentelemetry/api'), importedLogs, require('@opentelemetry/api-logs')]
    const before = copies.map(({ logs }) => logs.getLogger('before'))
    before.forEach((logger, index) => logger.emit({ body: 'lost ' + index }))
    const { api, apiLogs } = ours.register()
    say([api, apiLogs, imported === copies[1]])
    before.forEach((logger, index) => logger.emit({ body: 'before ' + index }))
    copies.forEach(({ logs }, index) => logs.getLogger('after').emit({ body: 'after ' + index }))
    say(messages())
    say(copies.map(({ logs }) => logs.getLoggerProvider() === ours))
    say(before.map((logger) => logger.enabled({ severityNumber: 9 })))
    say(told)`)
  const messages = ['before', 'after'].flatMap((when) => [0, 1, 2, 3].map((index) => `${when} ${index}`))
  expect(output).toEqual([['registered', 'registered', false], messages, Array(4).fill(true), Array(4).fill(true), []])
})

test('a provider that is set on one line is unknown to the other: that is why this one is set on both', async () => {
  const output = await said(`
    const { logs } = require('@opentelemetry/api')
    const { logs: legacy } = require('@opentelemetry/api-logs')
    logs.setGlobalLoggerProvider(ours)
    legacy.getLogger('a').emit({ body: 'lost' })
    logs.getLogger('a').emit({ body: 'kept' })
    say(messages())`)
  expect(output).toEqual([['kept']])
})

describe('a provider that is registered already', () => {
  const official = `
    const { LoggerProvider, InMemoryLogRecordExporter, SimpleLogRecordProcessor } = require('@opentelemetry/sdk-logs')
    const { logs } = require('@opentelemetry/api')
    const exporter = new InMemoryLogRecordExporter()
    const theirs = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  `
  test('stays, and that is told once (API2)', async () => {
    const output = await said(`${official}
      logs.setGlobalLoggerProvider(theirs)
      const { api, apiLogs, unregister } = ours.register()
      ours.register()
      logs.getLogger('a').emit({ body: 'theirs' })
      unregister()
      say([api, apiLogs, messages(), exporter.getFinishedLogRecords().length, logs.getLoggerProvider() === theirs])
      say(told)`)
    expect(output).toEqual([
      ['taken', 'registered', [], 1, true],
      [expect.stringMatching(/^SLUICE_GLOBAL_TAKEN another LoggerProvider is registered with @opentelemetry\/api;/)],
    ])
  })

  test('may be one of the older line, which the newer one does not know', async () => {
    const output = await said(`
      const { logs } = require('@opentelemetry/api-logs')
      logs.setGlobalLoggerProvider({ getLogger: () => ({ emit() {} }) })
      const { api, apiLogs } = ours.register()
      say([api, apiLogs, told.length])`)
    expect(output).toEqual([['registered', 'taken', 1]])
  })

  test('may take the place when this one is shut down (SDK4)', async () => {
    const output = await said(`${official}
      const { logs: legacy } = require('@opentelemetry/api-logs')
      ours.register()
      const early = logs.getLogger('early')
      early.emit({ body: 'early' })
      await ours.shutdown()
      say([logs.setGlobalLoggerProvider(theirs), legacy.getLogger('a').enabled(), messages()])
      early.emit({ body: 'late' })
      logs.getLogger('a').emit({ body: 'theirs' })
      say([exporter.getFinishedLogRecords().length, ours.stats().dropped.byReason.shutdown, ours.register().api])`)
    expect(output).toEqual([
      [true, false, ['early']],
      [1, 1, 'unavailable'],
    ])
  })
})

test('registering twice is the same as once, and it can be undone and done again', async () => {
  const output = await said(`
    const { logs } = require('@opentelemetry/api')
    const first = ours.register()
    const second = ours.register()
    first.unregister()
    second.unregister()
    logs.getLogger('a').emit({ body: 'lost' })
    const third = ours.register()
    logs.getLogger('a').emit({ body: 'kept' })
    say([first.api, second.api, third.apiLogs, messages(), told])`)
  expect(output).toEqual([['registered', 'registered', 'registered', ['kept'], []]])
})

test('an application with @opentelemetry/api 1.9 keeps its tracing: a newer version beside it would be refused', async () => {
  const home = join(directory, 'older')
  mkdirSync(join(home, 'node_modules/@opentelemetry'), { recursive: true })
  symlinkSync(
    join(root, 'node_modules/opentelemetry-api-1-9'),
    join(home, 'node_modules/@opentelemetry/api'),
    'junction',
  )
  const path = join(home, 'main.mjs')
  writeFileSync(
    path,
    `${setUp}
     import { trace } from '@opentelemetry/api'
     const { api, apiLogs } = ours.register()
     const set = trace.setGlobalTracerProvider({ getTracer: () => ({}) })
     say([api, apiLogs, set, told])`,
  )
  const { stdout, stderr } = await runChild({ args: [path] })
  expect([JSON.parse(stdout), stderr]).toEqual([['unavailable', 'registered', true, []], ''])
})

describe('where no copy of the packages can be found, because somebody bundled them or keeps them deeper', () => {
  const older = JSON.stringify(
    new URL('../../../node_modules/opentelemetry-api-1-9/build/src/index.js', import.meta.url),
  )
  const newer = bundled('api/dist/index.mjs')

  test.each([
    ['1.9', older],
    ['1.10', newer],
  ])('tracing of @opentelemetry/api %s is not refused after it, only the older line is registered', async (_, path) => {
    const output = await saidBare(`
      const { api, apiLogs } = ours.register()
      const { trace } = await import(${path})
      say([api, apiLogs, trace.setGlobalTracerProvider(tracing), messages()])`)
    expect(output).toEqual(['unavailable', 'registered', true, []])
  })

  test('it stands beside what an API with logs has registered before, and leaves that', async () => {
    const output = await saidBare(`
      const { logs, trace } = await import(${newer})
      trace.setGlobalTracerProvider(tracing)
      const { api, unregister } = ours.register()
      logs.getLogger('a').emit({ body: 'api' })
      unregister()
      logs.getLogger('a').emit({ body: 'lost' })
      say([api, messages(), trace.getTracerProvider().getDelegate() === tracing])`)
    expect(output).toEqual(['registered', ['api'], true])
  })

  test('it leaves alone what an API without logs has registered before', async () => {
    const output = await saidBare(`
      const { trace } = await import(${older})
      trace.setGlobalTracerProvider(tracing)
      const { api } = ours.register()
      say([api, trace.getTracerProvider().getDelegate() === tracing, trace.disable() ?? trace.setGlobalTracerProvider(tracing)])`)
    expect(output).toEqual(['unavailable', true, true])
  })

  test('the older line has a place that is made without it, and serves its own version alone', async () => {
    const output = await saidBare(`
      const { unregister } = ours.register()
      const ask = globalThis[Symbol.for('io.opentelemetry.js.api.logs')]
      ask(2).getLogger('other').emit({ body: 'of another version' })
      const { default: legacy } = await import(${bundled('api-logs/build/src/index.js')})
      legacy.logs.getLogger('a').emit({ body: 'api-logs' })
      unregister()
      legacy.logs.getLogger('a').emit({ body: 'lost' })
      say(messages())`)
    expect(output).toEqual(['api-logs'])
  })
})

test('globals that somebody froze cost the registration, and nothing else (ERR1)', async () => {
  const output = await said(`
    globalThis[Symbol.for('opentelemetry.js.api.1')] = Object.freeze({ version: '1.10.0' })
    Object.defineProperty(globalThis, Symbol.for('io.opentelemetry.js.api.logs'), { get() { throw new Error('no') } })
    const { api, apiLogs, unregister } = ours.register()
    unregister()
    say([api, apiLogs])`)
  expect(output).toEqual([['unavailable', 'unavailable']])
})

function bundled(name: string): string {
  return JSON.stringify(new URL(`../../../node_modules/@opentelemetry/${name}`, import.meta.url))
}

/** What a program says that registers `ours` and sees no package. */
async function saidBare(program: string): Promise<unknown> {
  const home = mkdtempSync(join(directory, 'bare-'))
  cpSync(join(root, 'src'), join(home, 'src'), { recursive: true })
  const path = join(home, 'main.mjs')
  const imports = `import { createLoggerProvider } from './src/otel/provider/provider.ts'
    import { memoryExporter } from './src/exporters/memory/memory-exporter.ts'
    const memory = memoryExporter()
    const ours = createLoggerProvider({ exporter: memory })
    const messages = () => memory.records.map(({ message }) => message)
    const tracing = { getTracer: () => ({}) }
    const say = (value) => console.log(JSON.stringify(value))
    `
  writeFileSync(path, imports + program)
  const { stdout, stderr } = await runChild({ args: [path], cwd: home, env: { NODE_PATH: '' } })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

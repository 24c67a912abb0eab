import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importOf, runChild, runModule } from '../../support/processes/child.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Contains programs that use other packages than this repository. */
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-globals-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Defines a provider `ours` with a memory exporter, `require` for packages, and the list of its diagnostics. */
const setUp =
  importOf('{ createLoggerProvider }', 'src/otel/provider/provider.ts') +
  importOf('{ memoryExporter }', 'src/exporters/memory/memory-exporter.ts') +
  `import { createRequire } from 'node:module'
   const require = createRequire(process.cwd() + '/main.js')
   const memory = memoryExporter()
   const diagnostics = []
   const ours = createLoggerProvider({ exporter: memory, onDiagnostic: ({ code, message }) => diagnostics.push(code + ' ' + message) })
   const print = (value) => console.log(JSON.stringify(value))
   const messages = () => memory.records.map(({ message }) => message)
  `

/** Runs a program and returns the parsed lines of its output. */
async function outputOf(program: string, env: Record<string, string> = {}): Promise<unknown[]> {
  const { stdout, stderr } = await runModule(setUp + program, { env })
  expect(stderr).toBe('')
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

// Requirements: API2
test('register connects earlier and later loggers of api and api-logs, by import and by require', async () => {
  const output = await outputOf(`
    import * as imported from '@opentelemetry/api'
    import * as importedLogs from '@opentelemetry/api-logs'
    const copies = [imported, require('@opentelemetry/api'), importedLogs, require('@opentelemetry/api-logs')]
    const before = copies.map(({ logs }) => logs.getLogger('before'))
    before.forEach((logger, index) => logger.emit({ body: 'lost ' + index }))
    const { api, apiLogs } = ours.register()
    print([api, apiLogs, imported === copies[1]])
    before.forEach((logger, index) => logger.emit({ body: 'before ' + index }))
    copies.forEach(({ logs }, index) => logs.getLogger('after').emit({ body: 'after ' + index }))
    print(messages())
    print(copies.map(({ logs }) => logs.getLoggerProvider() === ours))
    print(before.map((logger) => logger.enabled({ severityNumber: 9 })))
    print(diagnostics)`)
  const messages = ['before', 'after'].flatMap((when) => [0, 1, 2, 3].map((index) => `${when} ${index}`))
  expect(output).toEqual([['registered', 'registered', false], messages, Array(4).fill(true), Array(4).fill(true), []])
})

test('a provider that is set in @opentelemetry/api alone receives no records from api-logs', async () => {
  const output = await outputOf(`
    const { logs } = require('@opentelemetry/api')
    const { logs: legacy } = require('@opentelemetry/api-logs')
    logs.setGlobalLoggerProvider(ours)
    legacy.getLogger('a').emit({ body: 'lost' })
    logs.getLogger('a').emit({ body: 'kept' })
    print(messages())`)
  expect(output).toEqual([['kept']])
})

describe('register with another provider', () => {
  const official = `
    const { LoggerProvider, InMemoryLogRecordExporter, SimpleLogRecordProcessor } = require('@opentelemetry/sdk-logs')
    const { logs } = require('@opentelemetry/api')
    const exporter = new InMemoryLogRecordExporter()
    const theirs = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  `
  // Requirements: API2
  test('register keeps a provider that is already registered, and reports that once', async () => {
    const output = await outputOf(`${official}
      logs.setGlobalLoggerProvider(theirs)
      const { api, apiLogs, unregister } = ours.register()
      ours.register()
      logs.getLogger('a').emit({ body: 'theirs' })
      unregister()
      print([api, apiLogs, messages(), exporter.getFinishedLogRecords().length, logs.getLoggerProvider() === theirs])
      print(diagnostics)`)
    expect(output).toEqual([
      ['taken', 'registered', [], 1, true],
      [
        expect.stringMatching(
          /^SLUICE_PROVIDER_ALREADY_REGISTERED another LoggerProvider is registered with @opentelemetry\/api;/,
        ),
      ],
    ])
  })

  test('register keeps a provider that is already registered only with @opentelemetry/api-logs', async () => {
    const output = await outputOf(`
      const { logs } = require('@opentelemetry/api-logs')
      logs.setGlobalLoggerProvider({ getLogger: () => ({ emit() {} }) })
      const { api, apiLogs } = ours.register()
      print([api, apiLogs, diagnostics.length])`)
    expect(output).toEqual([['registered', 'taken', 1]])
  })

  // Requirements: SDK4
  test('another provider can be registered after this one is shut down', async () => {
    const output = await outputOf(`${official}
      const { logs: legacy } = require('@opentelemetry/api-logs')
      ours.register()
      const early = logs.getLogger('early')
      early.emit({ body: 'early' })
      await ours.shutdown()
      print([logs.setGlobalLoggerProvider(theirs), legacy.getLogger('a').enabled(), messages()])
      early.emit({ body: 'late' })
      logs.getLogger('a').emit({ body: 'theirs' })
      print([exporter.getFinishedLogRecords().length, ours.stats().dropped.byReason.shutdown, ours.register().api])`)
    expect(output).toEqual([
      [true, false, ['early']],
      [1, 1, 'unavailable'],
    ])
  })
})

test('register is idempotent, and a provider can be registered again after unregister', async () => {
  const output = await outputOf(`
    const { logs } = require('@opentelemetry/api')
    const first = ours.register()
    const second = ours.register()
    first.unregister()
    second.unregister()
    logs.getLogger('a').emit({ body: 'lost' })
    const third = ours.register()
    logs.getLogger('a').emit({ body: 'kept' })
    print([first.api, second.api, third.apiLogs, messages(), diagnostics])`)
  expect(output).toEqual([['registered', 'registered', 'registered', ['kept'], []]])
})

test('register does not break tracing of an application with @opentelemetry/api 1.9', async () => {
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
     print([api, apiLogs, set, diagnostics])`,
  )
  const { stdout, stderr } = await runChild({ args: [path] })
  expect([JSON.parse(stdout), stderr]).toEqual([['unavailable', 'registered', true, []], ''])
})

describe('register when no copy of the API packages is found, as in a bundle', () => {
  const older = JSON.stringify(
    new URL('../../../node_modules/opentelemetry-api-1-9/build/src/index.js', import.meta.url),
  )
  const newer = bundled('api/dist/index.mjs')

  test.each([
    ['1.9', older],
    ['1.10', newer],
  ])('@opentelemetry/api %s accepts a TracerProvider after register, which uses api-logs alone', async (_, path) => {
    const output = await outputWithoutPackages(`
      const { api, apiLogs } = ours.register()
      const { trace } = await import(${path})
      print([api, apiLogs, trace.setGlobalTracerProvider(tracing), messages()])`)
    expect(output).toEqual(['unavailable', 'registered', true, []])
  })

  test('register adds the provider to the globals of an API with logs, and keeps the TracerProvider', async () => {
    const output = await outputWithoutPackages(`
      const { logs, trace } = await import(${newer})
      trace.setGlobalTracerProvider(tracing)
      const { api, unregister } = ours.register()
      logs.getLogger('a').emit({ body: 'api' })
      unregister()
      logs.getLogger('a').emit({ body: 'lost' })
      print([api, messages(), trace.getTracerProvider().getDelegate() === tracing])`)
    expect(output).toEqual(['registered', ['api'], true])
  })

  test('register does not change the globals of an API without logs', async () => {
    const output = await outputWithoutPackages(`
      const { trace } = await import(${older})
      trace.setGlobalTracerProvider(tracing)
      const { api } = ours.register()
      print([api, trace.getTracerProvider().getDelegate() === tracing, trace.disable() ?? trace.setGlobalTracerProvider(tracing)])`)
    expect(output).toEqual(['unavailable', true, true])
  })

  test('register creates the api-logs global without the package, for its own version only', async () => {
    const output = await outputWithoutPackages(`
      const { unregister } = ours.register()
      const getProvider = globalThis[Symbol.for('io.opentelemetry.js.api.logs')]
      getProvider(2).getLogger('other').emit({ body: 'of another version' })
      const { default: legacy } = await import(${bundled('api-logs/build/src/index.js')})
      legacy.logs.getLogger('a').emit({ body: 'api-logs' })
      unregister()
      legacy.logs.getLogger('a').emit({ body: 'lost' })
      print(messages())`)
    expect(output).toEqual(['api-logs'])
  })
})

// Requirements: ERR1
test('register returns unavailable and does not throw when the globals are frozen', async () => {
  const output = await outputOf(`
    globalThis[Symbol.for('opentelemetry.js.api.1')] = Object.freeze({ version: '1.10.0' })
    Object.defineProperty(globalThis, Symbol.for('io.opentelemetry.js.api.logs'), { get() { throw new Error('no') } })
    const { api, apiLogs, unregister } = ours.register()
    unregister()
    print([api, apiLogs])`)
  expect(output).toEqual([['unavailable', 'unavailable']])
})

function bundled(name: string): string {
  return JSON.stringify(new URL(`../../../node_modules/@opentelemetry/${name}`, import.meta.url))
}

/** Runs a program in a directory without packages and returns its parsed output. */
async function outputWithoutPackages(program: string): Promise<unknown> {
  const home = mkdtempSync(join(directory, 'bare-'))
  cpSync(join(root, 'src'), join(home, 'src'), { recursive: true })
  const path = join(home, 'main.mjs')
  const imports = `import { createLoggerProvider } from './src/otel/provider/provider.ts'
    import { memoryExporter } from './src/exporters/memory/memory-exporter.ts'
    const memory = memoryExporter()
    const ours = createLoggerProvider({ exporter: memory })
    const messages = () => memory.records.map(({ message }) => message)
    const tracing = { getTracer: () => ({}) }
    const print = (value) => console.log(JSON.stringify(value))
    `
  writeFileSync(path, imports + program)
  const { stdout, stderr } = await runChild({ args: [path], cwd: home, env: { NODE_PATH: '' } })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

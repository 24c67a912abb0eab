import { afterAll, describe, expect, test } from '@jest/globals'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { createLogger } from '../../src/create/create-logger.ts'
import type { Profile } from '../../src/lifecycle/profiles.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { fdExporter } from '../../src/exporters/fd/fd-exporter.ts'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { Delivery, Exporter, ExporterHost, ExportResult } from '../../src/pipeline/exporter.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { importOf, runChild, runModule } from '../support/processes/child.ts'
import { TakingExporter } from '../support/pipeline/exporters.ts'
import { stallingPipe, temporaryDirectory } from '../support/files/pipes.ts'

const directory = temporaryDirectory()
afterAll(() => directory.remove())

const mebibyte = 1024 * 1024
const imports =
  importOf('{ createLogger }', 'src/entries/index.ts') + importOf('{ fdExporter }', 'src/entries/exporters.ts')
const program = (text: string): string => imports + text

/** Says on the other output than the logger's when records are written, and what the process listens to. */
const probe = program(`
  const log = createLogger(JSON.parse(process.env.OPTIONS))
  log.info('a')
  log.info('b')
  const said = { inTheCall: log.stats().written }
  await null
  said.behindAnAwait = log.stats().written
  await new Promise((resolve) => setImmediate(resolve))
  said.nextTurn = log.stats().written
  said.exporter = log.stats().exporters[0].name
  said.exports = log.stats().exporters[0].exports
  said.signals = process.listenerCount('SIGTERM')
  said.level = log.level
  console.log(JSON.stringify(said))
`)

async function probed(options: object, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr } = await runModule(probe, { env: { OPTIONS: JSON.stringify(options), ...env } })
  const said = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as object
  return { ...said, stderr }
}

const service = { inTheCall: 0, behindAnAwait: 0, nextTurn: 2, exporter: 'fd:1', exports: 1, signals: 1, level: 'info' }
const lambda = { inTheCall: 0, behindAnAwait: 2, nextTurn: 2, exporter: 'fd:1', exports: 1, signals: 0, level: 'info' }
const cli = { inTheCall: 2, behindAnAwait: 2, nextTurn: 2, exporter: 'fd:2', exports: 2, signals: 1, level: 'info' }

describe('the defaults of a profile', () => {
  test.each([
    ['service', service],
    ['lambda', lambda],
    ['cli', cli],
  ])('%s: where and when it writes, and which signals it hears', async (profile, expected) => {
    expect(await probed({ profile })).toMatchObject(expected)
    expect(await probed({}, { SLUICE_PROFILE: profile })).toMatchObject(expected)
  })

  test('without one it is a service, and in AWS Lambda lambda', async () => {
    expect(await probed({})).toMatchObject(service)
    expect(await probed({}, { AWS_LAMBDA_FUNCTION_NAME: 'orders' })).toMatchObject(lambda)
  })

  test('the option beats the environment, and that what Lambda says', async () => {
    const env = { SLUICE_PROFILE: 'service', AWS_LAMBDA_FUNCTION_NAME: 'orders' }
    expect(await probed({ profile: 'cli' }, env)).toMatchObject(cli)
    expect(await probed({}, env)).toMatchObject(service)
  })

  test('a wrong variable is told once and ignored (ENV4)', async () => {
    const ended = await runModule(program(`createLogger(); createLogger().info('a')`), {
      env: { SLUICE_PROFILE: 'lambada' },
    })
    expect(ended.code).toBe(0)
    expect(ended.stderr).toBe(
      'sluice: SLUICE_ENV_INVALID: SLUICE_PROFILE must be one of service, lambda, cli; it is ignored\n',
    )
    expect(JSON.parse(ended.stdout)).toMatchObject({ message: 'a' })
  })

  test('options of the logger win', async () => {
    expect(await probed({ profile: 'lambda', handleSignals: true, level: 'warn' })).toMatchObject({
      signals: 1,
      level: 'warn',
    })
  })

  test('the level of the function is the last word in lambda, and none elsewhere', async () => {
    const env = { AWS_LAMBDA_FUNCTION_NAME: 'orders', AWS_LAMBDA_LOG_LEVEL: 'DEBUG' }
    expect(await probed({}, env)).toMatchObject({ level: 'debug' })
    expect(await probed({}, { ...env, LOG_LEVEL: 'error' })).toMatchObject({ level: 'error' })
    expect(await probed({ level: 'trace' }, env)).toMatchObject({ level: 'trace' })
    expect(await probed({ profile: 'service' }, env)).toMatchObject({ level: 'info' })
  })

  test.each([
    ['service', 2_000, 16 * mebibyte, 'drops'],
    ['lambda', 200, 4 * mebibyte, 'waits'],
    ['cli', 2_000, mebibyte, 'waits'],
  ] as const)('%s: the exit may take %i ms, %i bytes wait, and at the bound it %s', (profile, exit, bytes, end) => {
    const { said, log } = intoAFull(profile)
    for (let seq = 0; log.stats().dropped.total === 0 && said.waits === 0; seq++) log.info('x'.repeat(8_000), { seq })
    expect(said.exitTimeoutMillis).toBe(exit)
    expect(said.waits > 0 ? 'waits' : 'drops').toBe(end)
    // `dropLowest` keeps a fifth for what is severe.
    const most = end === 'drops' ? bytes * 0.8 : bytes
    expect(said.mostQueued).toBeLessThanOrEqual(most)
    expect(said.mostQueued).toBeGreaterThan(most - 20_000)
  })

  test('what an exporter says itself holds', () => {
    const { said, log } = intoAFull('cli', { maxQueueBytes: 100_000, onFull: 'dropNewest' })
    for (let seq = 0; log.stats().dropped.total === 0; seq++) log.info('x'.repeat(8_000), { seq })
    expect(said).toMatchObject({ waits: 0 })
    expect(said.mostQueued).toBeLessThanOrEqual(100_000)
  })

  test('so does when it wants its batches', async () => {
    const exporter = new TakingExporter({ schedule: 'microtask' })
    const log = createLogger({ profile: 'cli', exporter, handleExit: false })
    log.info('a')
    expect(exporter.taken).toHaveLength(0)
    await Promise.resolve()
    expect(exporter.taken).toHaveLength(1)
  })

  describe('when many turns of the event loop log', () => {
    test('a service writes the records of several turns at once', async () => {
      const path = directory.path('busy.log')
      expect(await firstDelayedTurn(fileExporter({ path }))).toBeDefined()
    })

    test('a service whose exporter has a schedule, or no exportSync, exports at the end of each turn', async () => {
      const path = directory.path('turns.log')
      const fd = openSync(path, 'a')
      expect(await firstDelayedTurn(fdExporter({ fd, write: 'turn' }))).toBeUndefined()
      closeSync(fd)
      expect(await firstDelayedTurn(fileExporter({ path, scheduledDelayMillis: 0 }))).toBeUndefined()
      const asynchronous = Object.assign(new TakingExporter(), { schedule: undefined, exportSync: undefined })
      expect(await firstDelayedTurn(asynchronous)).toBeUndefined()
    })
  })

  test('an exporter that needs the event loop goes on without blocking', () => {
    const exporter: Exporter = {
      name: 'later',
      encoding: jsonLines(),
      delivery: {},
      export: () => new Promise(() => {}),
    }
    const log = createLogger({ profile: 'cli', exporter, handleExit: false, onDiagnostic() {} })
    for (let seq = 0; log.stats().dropped.total === 0; seq++) log.info('x'.repeat(8_000), { seq })
    expect(log.stats().dropped.byReason.queue_full).toBe(1)
  })

  test('a provider has them too', async () => {
    const text =
      importOf('{ createLoggerProvider }', 'src/entries/otel.ts') +
      `createLoggerProvider().getLogger('a').emit({ severityNumber: 9, body: 'x' })
       console.log(process.listenerCount('SIGTERM'))`
    const cliProgram = await runModule(text, { env: { SLUICE_PROFILE: 'cli' } })
    expect(JSON.parse(cliProgram.stderr)).toMatchObject({ message: 'x' })
    expect(cliProgram.stdout).toBe('1\n')
    expect((await runModule(text, { env: { SLUICE_PROFILE: 'lambda' } })).stdout).toMatch(/^0\n/)
    expect(() => createLoggerProvider({ profile: 'clip' as 'cli' })).toThrow(ConfigurationError)
  })
})

describe('wrong options are told at once', () => {
  test.each([
    [{ profile: 'clip' }, 'SLUICE_OPTION_RANGE', 'profile'],
    [{ profile: 7 }, 'SLUICE_OPTION_TYPE', 'profile'],
    [{ profile: '__proto__' }, 'SLUICE_OPTION_RANGE', 'profile'],
    [{ profile: 'cli', provider: 'global' }, 'SLUICE_OPTION_CONFLICT', 'profile'],
  ])('%j', (options, code, path) => {
    expect(problemsOf(options)).toEqual([{ code, path, message: expect.any(String) }])
  })

  test('a profile of the environment goes with a provider', async () => {
    const text = program(`createLogger({ provider: 'global' })`)
    expect(await runModule(text, { env: { SLUICE_PROFILE: 'cli' } })).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('the order beside console.log', () => {
  const orders = [
    ['service', ['console 2', 'console 4', 'log 1', 'log 3', 'log 5', 'console 6', 'log 7']],
    ['lambda', ['console 2', 'log 1', 'log 3', 'console 4', 'log 5', 'console 6', 'log 7']],
    ['cli', ['log 1', 'console 2', 'log 3', 'console 4', 'log 5', 'console 6', 'log 7']],
  ] as const

  test.each(orders)('in a file: %s', async (profile, order) => {
    const path = directory.path(`order-${profile}`)
    const fd = openSync(path, 'a')
    await runModule(inTurns(profile), { stdio: ['ignore', fd, 'inherit'] })
    closeSync(fd)
    expect(messagesOf(readFileSync(path, 'utf8'))).toEqual(order)
  })

  test.each(orders)('in a pipe: %s', async (profile, order) => {
    const { stdout } = await runModule(inTurns(profile))
    expect(messagesOf(stdout)).toEqual(order)
  })

  test('cli, to the standard error: where both outputs are one, in the order of the calls', async () => {
    const args = ['-c', 'exec "$0" "$@" 2>&1', process.execPath, '--input-type=module', '--eval']
    const both = program(`
      const log = createLogger({ profile: 'cli' })
      for (let i = 0; i < 100; i++) i % 2 ? console.log('line ' + i) : log.info('line ' + i)
    `)
    const { stdout } = await runChild({ command: 'sh', args: [...args, both] })
    expect(messagesOf(stdout)).toEqual(Array.from({ length: 100 }, (_, i) => `line ${i}`))
  })
})

describe('a reader that has left (row 12)', () => {
  test('is no word on the standard error of a cli, and counted', async () => {
    const { code, stderr, stats } = await withoutReader('cli', toNobody('cli'))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stats).toMatchObject({ written: 0, queued: 0, dropped: { total: 10, byReason: { io_error: 10 } } })
    expect(stats.exporters[0]!.lastProblem).toMatch(/^SLUICE_READER_GONE: fd:1: cannot write \(EPIPE\)/)
  })

  test('is told to a cli that asks for it', async () => {
    const { stderr } = await withoutReader('asked', toNobody('cli', 'onDiagnostic: ({ code }) => console.error(code)'))
    expect(stderr).toBe('SLUICE_READER_GONE\nSLUICE_RECORDS_LOST\n')
  })

  test('is told by a service', async () => {
    const { stderr } = await withoutReader('service', toNobody('service'))
    expect(stderr).toMatch(/^sluice: SLUICE_READER_GONE: fd:1: cannot write \(EPIPE\); later records are lost\n/)
  })

  test('does not hush other trouble of a cli (row 7)', async () => {
    const full = openSync('/dev/full', 'w')
    const { stderr } = await runModule(
      program(`
          createLogger({ profile: 'cli', exporter: fdExporter() }).info('a')
      `),
      { stdio: ['ignore', full, 'pipe'] },
    )
    closeSync(full)
    expect(stderr).toContain('cannot write (ENOSPC)')
    expect(stderr).toContain('SLUICE_RECORDS_LOST')
  })
})

const toNobody = (profile: Profile, options = ''): string =>
  program(`
    import { writeFileSync } from 'node:fs'
    const log = createLogger({ profile: '${profile}', exporter: fdExporter(), ${options} })
    for (let seq = 0; seq < 10; seq++) log.info('a', { seq })
    await log.flush()
    writeFileSync(process.env.OUT, JSON.stringify(log.stats()))
  `)

async function withoutReader(name: string, text: string) {
  const pipe = stallingPipe(directory.path(`${name}.pipe`))
  pipe.closeReader()
  const OUT = directory.path(`${name}.json`)
  const ended = await runModule(text, { stdio: ['ignore', pipe.fd, 'pipe'], env: { OUT } })
  pipe.close()
  return {
    ...ended,
    stats: JSON.parse(readFileSync(OUT, 'utf8')) as ReturnType<ReturnType<typeof createLogger>['stats']>,
  }
}

const inTurns = (profile: Profile): string =>
  program(`
    const log = createLogger({ profile: '${profile}', exporter: fdExporter({ fd: 1 }) })
    log.info('log 1')
    console.log('console 2')
    log.info('log 3')
    await null
    console.log('console 4')
    log.info('log 5')
    setImmediate(() => {
      console.log('console 6')
      log.info('log 7')
    })
  `)

/** The messages of lines, those of console.log included. */
function messagesOf(text: string): string[] {
  const lines = text.trimEnd().split('\n')
  return lines.map((line) => (line.startsWith('{') ? (JSON.parse(line) as { message: string }).message : line))
}

function problemsOf(options: object): unknown {
  try {
    createLogger(options)
    return []
  } catch (error) {
    return (error as ConfigurationError).problems
  }
}

/** A logger whose destination takes nothing, unless somebody waits for it. */
function intoAFull(profile: Profile, delivery: Delivery = {}) {
  const said = { exitTimeoutMillis: 0, waits: 0, mostQueued: 0 }
  let host: ExporterHost | undefined
  const exporter: Exporter = {
    name: 'full',
    encoding: jsonLines(),
    delivery,
    start(given) {
      host = given
      said.exitTimeoutMillis = given.exitTimeoutMillis
    },
    export: () => new Promise<ExportResult>(() => {}),
    exportSync(_batch, deadline) {
      said.mostQueued = Math.max(said.mostQueued, log.stats().queuedBytes)
      if (deadline <= host!.monotonic()) return { status: 'retryable', accepted: 0 }
      said.waits++
      return { status: 'accepted' }
    },
  }
  const log = createLogger({ profile, exporter, handleExit: false, onDiagnostic() {} })
  return { said, log }
}

/** Logs a record in each turn until one is not exported at its end. Returns that turn, of at most 5,000. */
async function firstDelayedTurn(exporter: Exporter): Promise<number | undefined> {
  const log = createLogger({ profile: 'service', exporter })
  let delayed: number | undefined
  for (let turn = 0; turn < 5_000 && delayed === undefined; turn++) {
    log.info('a')
    await setImmediate()
    if (log.stats().written <= turn) delayed = turn
  }
  await log.shutdown()
  expect(log.stats()).toMatchObject({ queued: 0, dropped: { total: 0 } })
  return delayed
}

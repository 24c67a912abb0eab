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
import { AcceptingExporter } from '../support/pipeline/exporters.ts'
import { stallingPipe, temporaryDirectory } from '../support/files/pipes.ts'

const directory = temporaryDirectory()
afterAll(() => directory.remove())

const mebibyte = 1024 * 1024
const imports =
  importOf('{ createLogger }', 'src/entries/index.ts') + importOf('{ fdExporter }', 'src/entries/exporters.ts')
const program = (text: string): string => imports + text

/** Writes, to the output that the logger does not use, when records are written and how many signals are handled. */
const probe = program(`
  const log = createLogger(JSON.parse(process.env.OPTIONS))
  log.info('a')
  log.info('b')
  const observed = { inTheCall: log.stats().written }
  await null
  observed.behindAnAwait = log.stats().written
  await new Promise((resolve) => setImmediate(resolve))
  observed.nextTurn = log.stats().written
  observed.exporter = log.stats().exporters[0].name
  observed.exports = log.stats().exporters[0].exports
  observed.signals = process.listenerCount('SIGTERM')
  observed.level = log.level
  console.log(JSON.stringify(observed))
`)

async function probed(options: object, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr } = await runModule(probe, { env: { OPTIONS: JSON.stringify(options), ...env } })
  const observed = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as object
  return { ...observed, stderr }
}

const service = { inTheCall: 0, behindAnAwait: 0, nextTurn: 2, exporter: 'fd:1', exports: 1, signals: 1, level: 'info' }
const lambda = { inTheCall: 0, behindAnAwait: 2, nextTurn: 2, exporter: 'fd:1', exports: 1, signals: 0, level: 'info' }
const cli = { inTheCall: 2, behindAnAwait: 2, nextTurn: 2, exporter: 'fd:2', exports: 2, signals: 1, level: 'info' }

describe('profile defaults', () => {
  test.each([
    ['service', service],
    ['lambda', lambda],
    ['cli', cli],
  ])('the profile %s determines the output, the time of writes and the handled signals', async (profile, expected) => {
    expect(await probed({ profile })).toMatchObject(expected)
    expect(await probed({}, { SLUICE_PROFILE: profile })).toMatchObject(expected)
  })

  test('the default profile is service, and lambda in AWS Lambda', async () => {
    expect(await probed({})).toMatchObject(service)
    expect(await probed({}, { AWS_LAMBDA_FUNCTION_NAME: 'orders' })).toMatchObject(lambda)
  })

  test('the profile option takes precedence over SLUICE_PROFILE, which takes precedence over the detection of AWS Lambda', async () => {
    const env = { SLUICE_PROFILE: 'service', AWS_LAMBDA_FUNCTION_NAME: 'orders' }
    expect(await probed({ profile: 'cli' }, env)).toMatchObject(cli)
    expect(await probed({}, env)).toMatchObject(service)
  })

  // Requirements: ENV4
  test('an invalid SLUICE_PROFILE is reported once and ignored', async () => {
    const ended = await runModule(program(`createLogger(); createLogger().info('a')`), {
      env: { SLUICE_PROFILE: 'lambada' },
    })
    expect(ended.code).toBe(0)
    expect(ended.stderr).toBe(
      'sluice: SLUICE_ENV_INVALID: SLUICE_PROFILE must be one of service, lambda, cli; it is ignored\n',
    )
    expect(JSON.parse(ended.stdout)).toMatchObject({ message: 'a' })
  })

  test('options of the logger take precedence over its profile', async () => {
    expect(await probed({ profile: 'lambda', handleSignals: true, level: 'warn' })).toMatchObject({
      signals: 1,
      level: 'warn',
    })
  })

  test('AWS_LAMBDA_LOG_LEVEL is the last fallback for the level in the profile lambda and unused in others', async () => {
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
  ] as const)('the profile %s allows %i ms for exit, queues %i bytes and then %s', (profile, exit, bytes, end) => {
    const { observed, log } = intoFullQueue(profile)
    for (let seq = 0; log.stats().dropped.total === 0 && observed.waits === 0; seq++)
      log.info('x'.repeat(8_000), { seq })
    expect(observed.exitTimeoutMillis).toBe(exit)
    expect(observed.waits > 0 ? 'waits' : 'drops').toBe(end)
    // `dropLowest` reserves a fifth of the queue for severe records.
    const most = end === 'drops' ? bytes * 0.8 : bytes
    expect(observed.mostQueued).toBeLessThanOrEqual(most)
    expect(observed.mostQueued).toBeGreaterThan(most - 20_000)
  })

  test('delivery options of an exporter take precedence over the profile', () => {
    const { observed, log } = intoFullQueue('cli', { maxQueueBytes: 100_000, onFull: 'dropNewest' })
    for (let seq = 0; log.stats().dropped.total === 0; seq++) log.info('x'.repeat(8_000), { seq })
    expect(observed).toMatchObject({ waits: 0 })
    expect(observed.mostQueued).toBeLessThanOrEqual(100_000)
  })

  test('the schedule of an exporter takes precedence over the profile', async () => {
    const exporter = new AcceptingExporter({ schedule: 'microtask' })
    const log = createLogger({ profile: 'cli', exporter, handleExit: false })
    log.info('a')
    expect(exporter.accepted).toHaveLength(0)
    await Promise.resolve()
    expect(exporter.accepted).toHaveLength(1)
  })

  describe('consecutive turns of the event loop that log', () => {
    test('the profile service writes the records of several turns in one batch', async () => {
      const path = directory.path('busy.log')
      expect(await firstDelayedTurn(fileExporter({ path }))).toBeDefined()
    })

    test('the profile service exports each turn if the exporter has a schedule or no exportSync', async () => {
      // Several turns are written together after nine turns or so. With more turns, a write above 20 ms becomes likely, after which
      // files are written asynchronously.
      const turns = 300
      const path = directory.path('turns.log')
      const fd = openSync(path, 'a')
      expect(await firstDelayedTurn(fdExporter({ fd, write: 'turn' }), turns)).toBeUndefined()
      closeSync(fd)
      expect(await firstDelayedTurn(fileExporter({ path, scheduledDelayMillis: 0 }), turns)).toBeUndefined()
      const asynchronous = Object.assign(new AcceptingExporter(), { schedule: undefined, exportSync: undefined })
      expect(await firstDelayedTurn(asynchronous, turns)).toBeUndefined()
    })
  })

  test('calls do not block on an exporter that needs the event loop in the profile cli', () => {
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

  test('a LoggerProvider has the defaults of the profile', async () => {
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

describe('invalid profiles', () => {
  test.each([
    [{ profile: 'clip' }, 'SLUICE_OPTION_RANGE', 'profile'],
    [{ profile: 7 }, 'SLUICE_OPTION_TYPE', 'profile'],
    [{ profile: '__proto__' }, 'SLUICE_OPTION_RANGE', 'profile'],
    [{ profile: 'cli', provider: 'global' }, 'SLUICE_OPTION_CONFLICT', 'profile'],
  ])('the options %j throw a ConfigurationError', (options, code, path) => {
    expect(problemsOf(options)).toEqual([{ code, path, message: expect.any(String) }])
  })

  test('SLUICE_PROFILE can be combined with a provider', async () => {
    const text = program(`createLogger({ provider: 'global' })`)
    expect(await runModule(text, { env: { SLUICE_PROFILE: 'cli' } })).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('order of records and console.log output', () => {
  const orders = [
    ['service', ['console 2', 'console 4', 'log 1', 'log 3', 'log 5', 'console 6', 'log 7']],
    ['lambda', ['console 2', 'log 1', 'log 3', 'console 4', 'log 5', 'console 6', 'log 7']],
    ['cli', ['log 1', 'console 2', 'log 3', 'console 4', 'log 5', 'console 6', 'log 7']],
  ] as const

  test.each(orders)('a file has the records and the console.log output of the profile %s', async (profile, order) => {
    const path = directory.path(`order-${profile}`)
    const fd = openSync(path, 'a')
    await runModule(inTurns(profile), { stdio: ['ignore', fd, 'inherit'] })
    closeSync(fd)
    expect(messagesOf(readFileSync(path, 'utf8'))).toEqual(order)
  })

  test.each(orders)('a pipe has the records and the console.log output of the profile %s', async (profile, order) => {
    const { stdout } = await runModule(inTurns(profile))
    expect(messagesOf(stdout)).toEqual(order)
  })

  test('records of the profile cli on stderr are in call order with console.log output in the same pipe', async () => {
    const args = ['-c', 'exec "$0" "$@" 2>&1', process.execPath, '--input-type=module', '--eval']
    const both = program(`
      const log = createLogger({ profile: 'cli' })
      for (let i = 0; i < 100; i++) i % 2 ? console.log('line ' + i) : log.info('line ' + i)
    `)
    const { stdout } = await runChild({ command: 'sh', args: [...args, both] })
    expect(messagesOf(stdout)).toEqual(Array.from({ length: 100 }, (_, i) => `line ${i}`))
  })
})

// Fault rows: 12
describe('a closed reader of stdout', () => {
  test('a closed pipe is counted and not reported on stderr in the profile cli', async () => {
    const { code, stderr, stats } = await withoutReader('cli', intoClosedPipe('cli'))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stats).toMatchObject({ written: 0, queued: 0, dropped: { total: 10, byReason: { io_error: 10 } } })
    expect(stats.exporters[0]!.lastProblem).toMatch(/^SLUICE_READER_CLOSED: fd:1: cannot write \(EPIPE\)/)
  })

  test('a closed pipe is reported to onDiagnostic in the profile cli', async () => {
    const { stderr } = await withoutReader(
      'asked',
      intoClosedPipe('cli', 'onDiagnostic: ({ code }) => console.error(code)'),
    )
    expect(stderr).toBe('SLUICE_READER_CLOSED\nSLUICE_RECORDS_LOST\n')
  })

  test('a closed pipe is reported on stderr in the profile service', async () => {
    const { stderr } = await withoutReader('service', intoClosedPipe('service'))
    expect(stderr).toMatch(/^sluice: SLUICE_READER_CLOSED: fd:1: cannot write \(EPIPE\); later records are lost\n/)
  })

  // Fault rows: 7
  test('other errors than a closed pipe are reported on stderr in the profile cli', async () => {
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

const intoClosedPipe = (profile: Profile, options = ''): string =>
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

/** A logger whose destination accepts nothing unless a call waits for it. */
function intoFullQueue(profile: Profile, delivery: Delivery = {}) {
  const observed = { exitTimeoutMillis: 0, waits: 0, mostQueued: 0 }
  let host: ExporterHost | undefined
  const exporter: Exporter = {
    name: 'full',
    encoding: jsonLines(),
    delivery,
    start(given) {
      host = given
      observed.exitTimeoutMillis = given.exitTimeoutMillis
    },
    export: () => new Promise<ExportResult>(() => {}),
    exportSync(_batch, deadline) {
      observed.mostQueued = Math.max(observed.mostQueued, log.stats().queuedBytes)
      if (deadline <= host!.monotonic()) return { status: 'retryable', accepted: 0 }
      observed.waits++
      return { status: 'accepted' }
    },
  }
  const log = createLogger({ profile, exporter, handleExit: false, onDiagnostic() {} })
  return { observed, log }
}

/** Logs a record in each turn until one is not exported at its end. Returns that turn. */
async function firstDelayedTurn(exporter: Exporter, turns = 5_000): Promise<number | undefined> {
  const log = createLogger({ profile: 'service', exporter })
  let delayed: number | undefined
  for (let turn = 0; turn < turns && delayed === undefined; turn++) {
    log.info('a')
    await setImmediate()
    if (log.stats().written <= turn) delayed = turn
  }
  await log.shutdown()
  expect(log.stats()).toMatchObject({ queued: 0, dropped: { total: 0 } })
  return delayed
}

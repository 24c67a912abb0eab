import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createLogger } from '../../src/create/create-logger.ts'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { sdkVersion } from '../../src/record/sdk-version.ts'
import { runModule } from '../support/processes/child.ts'
import { StallingExporter, AcceptingExporter } from '../support/pipeline/exporters.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

let directory: TemporaryDirectory
let created: RootLogger[] = []
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(async () => {
  await Promise.all(created.map((log) => log.shutdown({ timeoutMillis: 50 })))
  created = []
  directory.remove()
})

function logger(options: Parameters<typeof createLogger>[0]): RootLogger {
  const log = createLogger({ onDiagnostic: () => {}, ...options }) as RootLogger
  created.push(log)
  return log
}

function messagesIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => (JSON.parse(line) as { message: string }).message)
}

function errorOf(create: () => unknown): ConfigurationError {
  try {
    create()
  } catch (error) {
    return error as ConfigurationError
  }
  throw new Error('nothing was thrown')
}

describe('loggers that share a file', () => {
  test('loggers of one file share a queue, so that lines are in the order of the calls', async () => {
    const path = directory.path('shared.log')
    const first = logger({ exporter: fileExporter({ path }), name: 'first' })
    const second = logger({ exporter: fileExporter({ path }), name: 'second' })
    const expected: string[] = []
    for (let seq = 0; seq < 2_000; seq++) {
      ;(seq % 3 === 0 ? second : first).info(`${seq}`)
      expected.push(`${seq}`)
    }
    await Promise.all([first.flush(), second.flush()])
    expect(messagesIn(path)).toEqual(expected)
    expect([first.stats().written, second.stats().written]).toEqual([1_333, 667])
  })

  test('loggers share a queue when they open the same file by different paths', async () => {
    const path = directory.path('shared.log')
    writeFileSync(path, '')
    const first = logger({ exporter: fileExporter({ path }) })
    const second = logger({
      exporter: fileExporter({ path: `/proc/self/cwd/${path.slice(1)}`.replace('/cwd/', '/root/') }),
    })
    first.info('a')
    second.info('b')
    first.info('c')
    await first.flush()
    expect(messagesIn(path)).toEqual(['a', 'b', 'c'])
  })

  test('loggers that share a file can have different levels and layouts', async () => {
    const path = directory.path('shared.log')
    const first = logger({ exporter: fileExporter({ path, level: 'warn' }) })
    const second = logger({ exporter: fileExporter({ path, layout: 'otel' }) })
    first.info('filtered')
    first.warn('a')
    second.info('b')
    await first.flush()
    const [a, b] = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(a).toMatchObject({ message: 'a', level: 'warn' })
    expect(b).toMatchObject({ body: 'b', severity_number: 9 })
    expect(first.stats().exporters[0]).toMatchObject({ emitted: 2, filtered: 1, accepted: 1, written: 1 })
  })

  test('the last logger that is shut down closes a shared file, and a new logger opens it again', async () => {
    const path = directory.path('shared.log')
    const first = logger({ exporter: fileExporter({ path }) })
    const second = logger({ exporter: fileExporter({ path }) })
    first.info('a')
    await first.shutdown()
    first.info('lost')
    second.info('b')
    await second.shutdown()
    logger({ exporter: fileExporter({ path, onFull: 'dropOldest' }) }).info('c')
    await created.at(-1)!.flush()
    expect(messagesIn(path)).toEqual(['a', 'b', 'c'])
    expect(first.stats()).toMatchObject({ written: 1, queued: 0, dropped: { byReason: { shutdown: 1 } } })
    expect(second.stats()).toMatchObject({ written: 1, queued: 0, dropped: { total: 0 } })
  })

  test('loggers that share a file can be shut down concurrently', async () => {
    const path = directory.path('shared.log')
    const loggers = [1, 2, 3].map(() => logger({ exporter: fileExporter({ path }) }))
    for (const [index, log] of loggers.entries()) log.info(`${index}`)
    expect(await Promise.all(loggers.map((log) => log.shutdown()))).toEqual(
      loggers.map(() => ({ ok: true, pending: 0, dropped: 0 })),
    )
    expect(messagesIn(path)).toEqual(['0', '1', '2'])
  })
})

describe('conflicting options of a shared destination', () => {
  test('conflicting options are reported with the option, the destination and both values', () => {
    const path = directory.path('shared.log')
    logger({ exporter: fileExporter({ path, maxQueueBytes: 1_000_000 }) })
    const error = errorOf(() => logger({ exporter: fileExporter({ path, maxQueueBytes: 2_000_000, onFull: 'block' }) }))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.code).toBe('SLUICE_DESTINATION_CONFLICT')
    expect(error.problems).toEqual([
      {
        code: 'SLUICE_DESTINATION_CONFLICT',
        path: 'exporter.maxQueueBytes',
        message: `file:${path} is already open with maxQueueBytes = 1000000, not 2000000; use the same options for both, or share one logger`,
      },
      {
        code: 'SLUICE_DESTINATION_CONFLICT',
        path: 'exporter.onFull',
        message: `file:${path} is already open with onFull = the default, not "block"; use the same options for both, or share one logger`,
      },
    ])
  })

  test('conflicting options of exporters in one list are reported with their index', () => {
    const path = directory.path('shared.log')
    const exporters = [fileExporter({ path }), fileExporter({ path, fsync: 'batch' })]
    expect(errorOf(() => logger({ exporter: exporters })).problems).toMatchObject([{ path: 'exporter[1].fsync' }])
  })

  test('an exporter of a rejected logger can be used again', async () => {
    const key = 'test:refused'
    const fine = new AcceptingExporter()
    logger({ exporter: new AcceptingExporter({ destination: { key, options: { maxQueueBytes: 1 } } }) })
    errorOf(() =>
      logger({ exporter: [fine, new AcceptingExporter({ destination: { key, options: { maxQueueBytes: 2 } } })] }),
    )
    const log = logger({ exporter: fine })
    log.info('a')
    await log.flush()
    expect(fine.accepted).toHaveLength(1)
  })
})

describe('use of an exporter by several loggers', () => {
  test('an exporter cannot be used by two loggers', () => {
    const exporter = new AcceptingExporter()
    logger({ exporter })
    const error = errorOf(() => logger({ exporter }))
    expect(error.code).toBe('SLUICE_EXPORTER_IN_USE')
    expect(error.problems).toMatchObject([
      {
        path: 'exporter',
        message: 'the exporter double is already in use; create one for each logger, or use child()',
      },
    ])
  })

  test('an exporter cannot be listed twice in one logger', () => {
    const exporter = new AcceptingExporter()
    expect(errorOf(() => logger({ exporter: [exporter, exporter] })).problems).toMatchObject([
      { code: 'SLUICE_EXPORTER_IN_USE', path: 'exporter[1]' },
    ])
  })

  test('an exporter that joins a destination is shut down with its logger, and the first exporter writes for both', async () => {
    const destination = { key: 'test:joined', options: {} }
    const [a, b] = [new AcceptingExporter({ destination }), new AcceptingExporter({ destination })]
    Object.assign(b, {
      shutdown: () => {
        b.shutdowns++
        throw new Error('secret')
      },
    })
    const first = logger({ exporter: a })
    const second = logger({ exporter: b })
    first.info('a')
    second.info('b')
    await second.flush()
    expect([a.accepted.length, b.accepted.length, a.shutdowns, b.shutdowns]).toEqual([2, 0, 0, 1])
    await first.shutdown()
    expect(a.shutdowns).toBe(0)
    second.info('c')
    await second.shutdown()
    expect([a.accepted.length, a.shutdowns]).toEqual([3, 1])
  })

  test('an exporter that throws in start leaves no exporter of the logger open', async () => {
    const fine = new AcceptingExporter()
    const broken = Object.assign(new AcceptingExporter(), {
      start: () => {
        throw new Error('mine')
      },
    })
    expect(() => logger({ exporter: [fine, broken] })).toThrow('mine')
    await new Promise((resolve) => setImmediate(resolve))
    expect(fine.shutdowns).toBe(1)
  })
})

test('a logger that is shut down while its shared destination stalls has no queued records, and the other still logs', async () => {
  const destination = { key: 'test:stalled', options: {} }
  const exporter = new StallingExporter({ destination })
  const first = logger({ exporter })
  const second = logger({ exporter: new StallingExporter({ destination }) })
  first.info('a')
  second.info('b')
  first.info('c')
  expect(await first.shutdown({ timeoutMillis: 20 })).toEqual({ ok: false, pending: 0, dropped: 0 })
  expect(first.stats()).toMatchObject({ queued: 0, unknown: 2, written: 0, dropped: { total: 0 } })
  second.info('d')
  const flush = second.flush()
  while (exporter.pending !== undefined) {
    exporter.complete()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await flush).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(exporter.lines().map(({ message }) => message)).toEqual(['a', 'b', 'c', 'd'])
  expect(second.stats()).toMatchObject({ written: 2, queued: 0 })
  expect(first.stats()).toMatchObject({ unknown: 2, written: 0 })
})

// Requirements: D29
describe('two copies of this package in one process', () => {
  test('two copies of the package share a destination, reject an exporter in use and close with the last logger', async () => {
    const path = directory.path('copies.log')
    await jest.isolateModulesAsync(async () => {
      const copy = await import('../../src/create/create-logger.ts')
      const copyFile = await import('../../src/exporters/file/file-exporter.ts')
      expect(copy.createLogger).not.toBe(createLogger)
      const exporter = new AcceptingExporter()
      const mine = logger({ exporter: [fileExporter({ path }), exporter] })
      expect(() => copy.createLogger({ exporter })).toThrow('SLUICE_EXPORTER_IN_USE')
      expect(() => copy.createLogger({ exporter: copyFile.fileExporter({ path, onFull: 'block' }) })).toThrow(
        'SLUICE_DESTINATION_CONFLICT',
      )
      const theirs = copy.createLogger({ exporter: copyFile.fileExporter({ path }) })
      const exits = process.listenerCount('exit')
      for (let seq = 0; seq < 100; seq++) (seq % 2 === 0 ? mine : theirs).info(`${seq}`)
      await mine.shutdown()
      theirs.info('100')
      expect(await theirs.shutdown()).toMatchObject({ ok: true })
      expect(messagesIn(path)).toEqual(Array.from({ length: 101 }, (_, seq) => `${seq}`))
      expect(theirs.stats()).toMatchObject({ written: 51, queued: 0, dropped: { total: 0 } })
      expect(mine.stats().exporters[0]).toMatchObject({ written: 50, queued: 0 })
      expect(process.listenerCount('exit')).toBeLessThan(exits)
    })
  })
})

// Requirements: D29
test.each([
  ['exits normally', ''],
  ['calls process.exit', 'process.exit(0)'],
])('two versions of this package deliver all records to one file when the process %s', async (_, end) => {
  const other = directory.path('other-version')
  cpSync(new URL('../../src', import.meta.url), join(other, 'src'), { recursive: true })
  writeFileSync(join(other, 'package.json'), JSON.stringify({ type: 'module', version: '99.0.0' }))
  const versionFile = join(other, 'src/record/sdk-version.ts')
  writeFileSync(versionFile, readFileSync(versionFile, 'utf8').replace(sdkVersion, '99.0.0'))
  const path = directory.path(`versions${end.length}.log`)
  const versions = [new URL('../..', import.meta.url).href, `${pathToFileURL(other).href}/`]
  const { code, signal, stderr, stdout } = await runModule(
    `const loggers = []
     for (const root of ${JSON.stringify(versions)}) {
       const { createLogger } = await import(root + 'src/create/create-logger.ts')
       const { fileExporter } = await import(root + 'src/exporters/file/file-exporter.ts')
       const exporter = fileExporter({ path: ${JSON.stringify(path)}, format: 'otlpJson' })
       loggers.push(createLogger({ name: 'shop', exporter }))
     }
     for (let seq = 0; seq < 100; seq++) loggers[seq % 2].info(String(seq))
     console.log(process.listenerCount('exit'))
     ${end}`,
  )
  expect({ code, signal, stderr, stdout }).toEqual({ code: 0, signal: null, stderr: '', stdout: '1\n' })
  const records = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => JSON.parse(line).resourceLogs)
    .flatMap(({ resource, scopeLogs }) => {
      const version = resource.attributes.find(({ key }: any) => key === 'telemetry.sdk.version').value.stringValue
      return scopeLogs.flatMap((scope: any) => scope.logRecords.map(({ body }: any) => [body.stringValue, version]))
    })
  const expected = Array.from({ length: 100 }, (_, seq) => [`${seq}`, seq % 2 === 0 ? sdkVersion : '99.0.0'])
  expect(records).toEqual(expected)
})

describe('exit listeners of a shared destination', () => {
  test('an exit listener is present while any logger of a destination has handleExit', async () => {
    const destination = { key: 'test:exit', options: {} }
    const before = process.listenerCount('exit')
    const withoutExit = logger({ exporter: new AcceptingExporter({ destination }), handleExit: false })
    expect(process.listenerCount('exit')).toBe(before)
    const withExit = logger({ exporter: new AcceptingExporter({ destination }) })
    expect(process.listenerCount('exit')).toBe(before + 1)
    await withExit.shutdown()
    expect(process.listenerCount('exit')).toBe(before)
    await withoutExit.shutdown()
  })
})

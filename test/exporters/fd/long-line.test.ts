import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { nonBlockingDescriptor } from '../../../src/exporters/fd/descriptor.ts'
import { fdExporter } from '../../../src/exporters/fd/fd-exporter.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import { fileExporter } from '../../../src/exporters/file/file-exporter.ts'
import type { LoggerOptions } from '../../../src/logger/types.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import { RecordOwner } from '../../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../../src/pipeline/counters.ts'
import { LongRecordBuffer } from '../../../src/pipeline/long-record-buffer.ts'
import { batchOf, source } from '../../support/pipeline/batch.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import {
  linesOf,
  longBatch,
  longLength,
  longLine,
  longText,
  parsedLines,
  pieceLength,
} from '../../support/values/long-texts.ts'
import { byteBuffers } from '../../../src/platform/node/byte-buffers.ts'
import { needs } from '../../support/needs.ts'
import {
  stallingPipe,
  temporaryDirectory,
  type StallingPipe,
  type TemporaryDirectory,
} from '../../support/files/pipes.ts'

let directory: TemporaryDirectory
let names = 0
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const text = longText('é"\n')
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

function logger(exporter: Exporter, options: LoggerOptions = {}) {
  const problems: string[] = []
  const onDiagnostic = ({ code }: { readonly code: string }) => void problems.push(code)
  const log = createLogger({ exporter, limits: { recordBytes: Infinity }, handleExit: false, onDiagnostic, ...options })
  return { log, problems }
}

function fileLogger(options: LoggerOptions = {}) {
  const path = directory.path(`file-${names++}`)
  const exporter = fileExporter({ path })
  return { ...logger(exporter, options), path, exporter }
}

describe('long records in a file', () => {
  // Fault rows: 28
  test('a long record is written to a file as one whole line, in the order of the calls', async () => {
    const { log, path } = fileLogger()
    log.info('a', { seq: 0 })
    log.info('b', { seq: 1, text })
    log.info('c', { seq: 2 })
    await nextTurn()
    log.info('d', { seq: 3 })
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(linesOf(path)).toEqual([0, 1, 2, 3].map((seq) => ({ seq, length: seq === 1 ? text.length : undefined })))
    expect(parsedLines(readFileSync(path, 'utf8'))[1]!.attributes!.text === text).toBe(true)
    expect(log.stats()).toMatchObject({ emitted: 4, written: 4, queued: 0, queuedBytes: 0, dropped: { total: 0 } })
  })

  test('a long record is written to a file in pieces, one for each turn of the event loop and none in the log call', async () => {
    const { log, path } = fileLogger()
    const length = 4 * longLength
    log.info('m', { text: longText('x', length) })
    const sizes = [statSync(path).size]
    expect(sizes[0]).toBeLessThan(200)
    const flushed = log.flush()
    while ((await Promise.race([flushed, nextTurn()])) === undefined) sizes.push(statSync(path).size)
    const steps = sizes.slice(1).map((size, index) => size - sizes[index]!)
    expect(Math.max(...steps)).toBeLessThanOrEqual(2 * pieceLength)
    expect(steps.filter((step) => step > 0).length).toBeGreaterThanOrEqual(length / pieceLength / 2)
    expect(linesOf(path)).toEqual([{ seq: undefined, length }])
  })

  test('flushSync writes a long record without a turn of the event loop', () => {
    const { log, path } = fileLogger()
    log.info('m', { text })
    expect(log.flushSync()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(linesOf(path)).toHaveLength(1)
  })

  test('flushSync writes the rest of a partially written long record', async () => {
    const { log, path } = fileLogger()
    log.info('m', { text })
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    const { size } = statSync(path)
    expect(size).toBeGreaterThan(pieceLength)
    expect(size).toBeLessThan(longLength)
    expect(log.flushSync()).toEqual({ ok: true, pending: 0, dropped: 0 })
    await nextTurn()
    expect(linesOf(path)).toEqual([{ seq: undefined, length: text.length }])
    expect(log.stats()).toMatchObject({ written: 1, queued: 0 })
  })

  test('reopen during a long record completes it in the old file and writes later records to the new file', async () => {
    const { log, path, exporter } = fileLogger()
    log.info('m', { seq: 1, text })
    log.info('m', { seq: 2 })
    await nextTurn()
    await nextTurn()
    renameSync(path, `${path}.1`)
    exporter.reopen()
    log.info('m', { seq: 3 })
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(linesOf(`${path}.1`)).toEqual([{ seq: 1, length: text.length }])
    expect(linesOf(path)).toEqual([2, 3].map((seq) => ({ seq, length: undefined })))
  })
})

/** By this clock each write takes 30 ms, so that all but the first use the thread pool. */
function slowFile() {
  let clock = 0
  const path = directory.path(`slow-${names++}`)
  const exporter = fileExporter({ path })
  exporter.start!(recordingHost(() => (clock += 30)))
  exporter.keepAlive!(true)
  return { exporter, batch: longBatch(), written: () => readFileSync(path, 'utf8') }
}

describe('long records on a slow disk', () => {
  test('a long record is written whole by the thread pool to a slow disk', async () => {
    const { exporter, batch, written } = slowFile()
    expect(await exporter.export(batch, undefined)).toEqual({ status: 'accepted' })
    expect(written() === batch.text()).toBe(true)
  })

  test('exportSync writes the rest of a long record to a slow disk when the process exits', async () => {
    const { exporter, batch, written } = slowFile()
    const pending = exporter.export(batch, undefined)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    expect(exporter.exportSync!(batch, 1e9, true)).toEqual({ status: 'accepted' })
    expect(await pending).toEqual({ status: 'accepted' })
    expect(written() === batch.text()).toBe(true)
  })
})

// Regression: the writer treated the previous piece as the last one, and counted the line as written.
test('a long record does not count as written when one of its pieces cannot be allocated', async () => {
  const path = directory.path('no-piece')
  const exporter = fileExporter({ path })
  exporter.start!(recordingHost())
  exporter.keepAlive!(true)
  const encode = Buffer.from as (text: string) => Uint8Array
  let pieces = 0
  const noMemory = (part: string) => {
    if (++pieces === 3) throw new RangeError('Array buffer allocation failed')
    return encode(part)
  }
  const buffers = { ...byteBuffers(), encode: noMemory }
  const batch = new LongRecordBuffer(1, longLine(), 9, new RecordOwner(new Counters(), source), buffers)
  const result = await exporter.export(batch, undefined)
  expect(result.status === 'accepted' ? readFileSync(path).length : batch.byteLength).toBe(batch.byteLength)
})

describe('long records in a pipe', () => {
  let pipe: StallingPipe
  let received: string

  function pipeLogger(options: Parameters<typeof fdExporter>[0] = {}) {
    pipe = stallingPipe(directory.path(`pipe-${names++}`))
    received = ''
    return logger(fdExporter({ fd: pipe.fd, ...options }))
  }
  const written = () => parsedLines(Buffer.from(received, 'latin1').toString())

  afterEach(() => pipe.close())

  test.each([{}, { sharedPipe: true }, { write: 'sync' as const }])(
    'a long record is written whole to a pipe with a slow reader: %j',
    async (options) => {
      const { log } = pipeLogger(options)
      ;['a', text, 'b'].forEach((message) => log.info(message))
      const reader = setInterval(() => (received += pipe.read(40_000)), 1)
      expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
      clearInterval(reader)
      received += pipe.readAll()
      expect(written().map(({ message }) => (message === text ? 'long' : message))).toEqual(['a', 'long', 'b'])
      expect(log.stats()).toMatchObject({ written: 3, queuedBytes: 0 })
      await log.shutdown()
    },
  )

  test('a long record stays queued when flush times out on a full pipe, and is written later', async () => {
    const { log } = pipeLogger()
    log.info(text)
    expect(await log.flush({ timeoutMillis: 20 })).toEqual({ ok: false, pending: 1, dropped: 0 })
    expect(log.flushSync(5)).toEqual({ ok: false, pending: 1, dropped: 0 })
    expect(log.stats()).toMatchObject({ written: 0, queued: 1, dropped: { total: 0 } })
    const reader = setInterval(() => (received += pipe.readAll()), 1)
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    clearInterval(reader)
    received += pipe.readAll()
    expect(written().map(({ message }) => message === text)).toEqual([true])
    await log.shutdown()
  })

  test('a long record is dropped with io_error, reported once, when the reader closes the pipe during it', async () => {
    const { log, problems } = pipeLogger()
    log.info(text)
    await nextTurn()
    expect(pipe.read()).not.toBe('')
    pipe.closeReader()
    expect(await log.flush()).toEqual({ ok: false, pending: 0, dropped: 1 })
    expect(log.stats()).toMatchObject({ written: 0, queued: 0, queuedBytes: 0, dropped: { byReason: { io_error: 1 } } })
    expect(problems).toEqual(['SLUICE_READER_CLOSED'])
    await log.shutdown()
  })

  test.each(['in its middle', 'at its last piece'])(
    'a record after a long record that was aborted %s begins on a new line',
    async (when) => {
      pipe = stallingPipe(directory.path(`pipe-${names++}`))
      const host = recordingHost()
      const writer = new FdWriter({ name: 'fd:test', open: () => nonBlockingDescriptor(pipe.fd) })
      writer.start(host)
      writer.keepAlive(true)
      const batch = longBatch(when === 'in its middle' ? undefined : pieceLength + 9)
      const controller = new AbortController()
      const pending = writer.export(batch, controller.signal)
      for (let turn = 0; turn < 5; turn++) await nextTurn()
      controller.abort()
      expect(await pending).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
      const torn = pipe.readAll()
      expect(torn.length).toBeGreaterThan(1_000)
      expect(batch.text().startsWith(torn)).toBe(true)
      expect(writer.export(batchOf(['{"seq":1}\n']), undefined)).toEqual({ status: 'accepted' })
      expect(pipe.readAll()).toBe('\n{"seq":1}\n')
      writer.close()
    },
  )
})

test('a long record for a full device is retryable until the process exits and then rejected', () => {
  const full = openSync('/dev/full', 'w')
  const host = recordingHost()
  const writer = new FdWriter({ name: 'fd:full', open: () => nonBlockingDescriptor(full) })
  writer.start(host)
  const batch = longBatch()
  expect(writer.exportSync(batch, host.monotonic(), false)).toMatchObject({ status: 'retryable', accepted: 0 })
  expect(writer.exportSync(batch, host.monotonic() + 1_000, true)).toEqual({
    status: 'rejected',
    accepted: 0,
    reason: 'io_error',
  })
  expect(host.diagnostics[0]!.message).toMatch('ENOSPC')
  closeSync(full)
})

/** Logs a long string between two short records, and ends. */
const dying = (target: string, end: string) =>
  importOf('{ createLogger }', 'src/entries/index.ts') +
  importOf('{ fdExporter, fileExporter }', 'src/entries/exporters.ts') +
  importOf('{ longText }', 'test/support/values/long-texts.ts') +
  `const log = createLogger({ exporter: ${target}, limits: { recordBytes: Infinity } })
  const text = longText('é"\\n', 4 * 2 ** 20)
  log.info('m', { seq: 0 }); log.info('m', { seq: 1, text }); log.info('m', { seq: 2 })
  ${end}`

describe('long records at process exit', () => {
  const ends = {
    'process.exit': ['process.exit(3)', 3],
    'an uncaught exception': ["throw new Error('mine')", 1],
  } as const
  const whole = [0, 1, 2].map((seq) => ({ seq, length: seq === 1 ? 4 * longLength : undefined }))

  test.each(Object.entries(ends))(
    '%s right after the log call does not truncate a long record in a file',
    async (_, [end, code]) => {
      const path = directory.path(`file-${names++}`)
      const ended = await runModule(dying(`fileExporter({ path: ${JSON.stringify(path)} })`, end))
      expect(ended.code).toBe(code)
      expect(linesOf(path)).toEqual(whole)
    },
  )

  test.each(Object.entries(ends))(
    '%s right after the log call does not truncate a long record in a pipe',
    async (_, [end, code]) => {
      const pipe = stallingPipe(directory.path(`pipe-${names++}`))
      let received = ''
      const reader = setInterval(() => (received += pipe.readAll()), 1)
      const ended = await runModule(dying('fdExporter()', end), { stdio: ['ignore', pipe.fd, 'pipe'] })
      clearInterval(reader)
      received += pipe.readAll()
      pipe.close()
      expect(ended.code).toBe(code)
      const lines = parsedLines(Buffer.from(received, 'latin1').toString())
      expect(lines.map(({ attributes }) => attributes!.seq)).toEqual([0, 1, 2])
      expect((lines[1]!.attributes!.text as string) === longText('é"\n', 4 * longLength)).toBe(true)
    },
  )
})

describe('memory use for a string of 64 MiB', () => {
  const mebibytes = 64
  const program = (exporter: string) =>
    importOf('{ createLogger }', 'src/entries/index.ts') +
    importOf('{ fileExporter, memoryExporter, jsonLines }', 'src/entries/exporters.ts') +
    `import { readFileSync, writeFileSync } from 'node:fs'
    const mebibytes = (name) => Number(new RegExp(name + ':\\\\s+(\\\\d+)').exec(readFileSync('/proc/self/status', 'latin1'))[1]) / 1024
    const log = createLogger({ exporter: ${exporter}, limits: { recordBytes: Infinity } })
    log.info('m', { text: 'x'.repeat(2 ** 21) })
    await log.flush()
    const text = Buffer.alloc(${mebibytes} * 2 ** 20, 'x').toString('latin1')
    gc()
    writeFileSync('/proc/self/clear_refs', '5') // resets the peak
    const idle = mebibytes('VmRSS')
    log.info('m', { text })
    const { ok } = await log.flush()
    console.log(JSON.stringify({ ok, rise: mebibytes('VmHWM') - idle }))`

  async function riseOf(exporter: string): Promise<number> {
    const { stdout, stderr } = await runModule(program(exporter), { env: { NODE_OPTIONS: '--expose-gc' } })
    if (stdout === '') throw new Error(stderr)
    const { ok, rise } = JSON.parse(stdout) as { ok: boolean; rise: number }
    expect(ok).toBe(true)
    return rise
  }

  const peaks = needs('a peak of memory that can be forgotten', existsSync('/proc/self/clear_refs'))
  peaks(
    'memory grows by less than a long string that is written to a file, and by more when an exporter keeps it',
    async () => {
      const queue = 'maxQueueBytes: 2 ** 28'
      const [file, memory] = await Promise.all([
        riseOf(`fileExporter({ path: '/dev/null', ${queue} })`),
        riseOf(`memoryExporter({ ${queue} })`),
      ])
      expect(file).toBeLessThan(mebibytes)
      expect(memory).toBeGreaterThan(mebibytes)
    },
  )
})

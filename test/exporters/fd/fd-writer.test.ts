import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { nonBlockingDescriptor } from '../../../src/exporters/fd/descriptor.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import type { ExportResult } from '../../../src/pipeline/exporter.ts'
import { batchOf, numberedLines, sequenceOf } from '../../support/pipeline/batch.ts'
import { recordingHost, type RecordingHost } from '../../support/pipeline/exporter-host.ts'
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

function lineOf(length: number): string {
  return `${'x'.repeat(length - 1)}\n`
}

function range(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

describe('writes to a pipe', () => {
  let pipe: StallingPipe
  let host: RecordingHost
  let writer: FdWriter

  function open({
    sharedPipe = undefined as boolean | undefined,
    monotonic = undefined as (() => number) | undefined,
  } = {}): void {
    pipe = stallingPipe(directory.path(`pipe-${names++}`))
    host = recordingHost(monotonic)
    writer = new FdWriter({ name: 'fd:test', open: () => nonBlockingDescriptor(pipe.fd), sharedPipe })
    writer.start(host)
    writer.keepAlive(true)
  }

  afterEach(() => {
    writer.close()
    pipe.close()
  })

  test('export returns its result synchronously when the pipe accepts the whole batch', () => {
    open()
    expect(writer.export(batchOf(numberedLines(10)), undefined)).toEqual({ status: 'accepted' })
    expect(sequenceOf(pipe.readAll())).toEqual(range(10))
  })

  // Fault rows: 1
  test('export waits for a full pipe and continues at the next byte', async () => {
    open()
    const answer = writer.export(batchOf(numberedLines(1_000)), undefined)
    expect(answer).toBeInstanceOf(Promise)
    expect(await drained(answer)).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
    expect(host.diagnostics).toEqual([])
  })

  test('export completes under fake timers', async () => {
    open()
    jest.useFakeTimers()
    const answer = writer.export(batchOf(numberedLines(1_000)), undefined)
    jest.useRealTimers()
    expect(await drained(answer)).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
  })

  test('exportSync does not wait for a full pipe when its deadline is in the past', () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    const start = host.monotonic()
    expect(writer.exportSync(batch, 0, false)).toMatchObject({ status: 'retryable', retryAfterMillis: 0 })
    expect(host.monotonic() - start).toBeLessThan(20)
    const before = pipe.readAll()
    expect(sequenceOf(before + drainSync(batch))).toEqual(range(1_000))
  })

  test('exportSync does not write to a full pipe again before the clock advances', () => {
    let clock = 1_000
    open({ monotonic: () => clock })
    const batch = batchOf(numberedLines(1_000))
    const refused = writer.exportSync(batch, 0, false)
    pipe.readAll()
    expect(writer.exportSync(batch, 0, false)).toEqual(refused)
    expect(pipe.readAll()).toBe('')
    clock += 1
    expect(writer.exportSync(batch, 0, false)).not.toEqual(refused)
  })

  // Fault rows: 11
  test('exportSync stops at its deadline when the pipe is not read, and counts whole records as accepted', () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    const start = host.monotonic()
    const result = writer.exportSync(batch, start + 100, true)
    expect(host.monotonic() - start).toBeGreaterThanOrEqual(100)
    expect(host.monotonic() - start).toBeLessThan(200)
    const whole = pipe.readAll().split('\n').length - 1
    expect(result).toEqual({ status: 'retryable', accepted: whole, retryAfterMillis: 0 })
  })

  test('a newline is written first after an abandoned line', () => {
    open({ sharedPipe: false })
    writer.exportSync(batchOf(numberedLines(1_000)), 0, true)
    const text = pipe.readAll()
    expect(text.endsWith('\n')).toBe(false)
    expect(writer.exportSync(batchOf(['{"seq":1}\n']), 0, true)).toEqual({ status: 'accepted' })
    expect(pipe.readAll()).toBe('\n{"seq":1}\n')
  })

  test('a newline is written first when another batch follows a partially written one', () => {
    open({ sharedPipe: false })
    writer.exportSync(batchOf(numberedLines(1_000)), 0, false)
    pipe.readAll()
    expect(writer.exportSync(batchOf(['{"seq":1}\n']), host.monotonic() + 100, false)).toEqual({ status: 'accepted' })
    expect(pipe.readAll()).toBe('\n{"seq":1}\n')
  })

  test('exportSync writes the rest of a pending export, and both have the same result', async () => {
    open()
    const batch = batchOf(numberedLines(400))
    const pending = writer.export(batch, undefined)
    const before = pipe.readAll()
    const result = writer.exportSync(batch, host.monotonic() + 100, true)
    expect(result).toEqual({ status: 'accepted' })
    expect(await pending).toEqual(result)
    expect(sequenceOf(before + pipe.readAll())).toEqual(range(400))
  })

  test('a pending export continues after a retryable exportSync', async () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    const pending = writer.export(batch, undefined)
    expect(writer.exportSync(batch, host.monotonic() + 3, false)).toMatchObject({ status: 'retryable' })
    expect(await drained(pending)).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
  })

  test('export continues at the next byte of a batch that exportSync began', async () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    expect(writer.exportSync(batch, 0, false)).toMatchObject({ status: 'retryable' })
    const again = await drained(writer.export(batch, undefined))
    expect(again).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
  })

  // Fault rows: 12
  test('a pipe without a reader is reported once, and later batches are rejected without a write', () => {
    open()
    pipe.closeReader()
    const rejected = { status: 'rejected', accepted: 0, reason: 'io_error' }
    expect(writer.export(batchOf(numberedLines(3)), undefined)).toEqual(rejected)
    expect(writer.export(batchOf(numberedLines(3)), undefined)).toEqual(rejected)
    expect(writer.exportSync(batchOf(numberedLines(3)), Infinity, true)).toEqual(rejected)
    expect(host.diagnostics).toEqual([
      { code: 'SLUICE_READER_CLOSED', message: 'fd:test: cannot write (EPIPE); later records are lost' },
    ])
  })

  // Fault rows: 12
  test('the records that were read count as accepted when the reader closes the pipe during an export', async () => {
    open()
    const pending = writer.export(batchOf(numberedLines(1_000)), undefined)
    const whole = pipe.read(65_536).split('\n').length - 1
    pipe.closeReader()
    expect(await pending).toEqual({ status: 'rejected', accepted: whole, reason: 'io_error' })
  })

  test('a pending export is rejected when its signal is aborted', async () => {
    open({ sharedPipe: false })
    const controller = new AbortController()
    const pending = writer.export(batchOf(numberedLines(1_000)), controller.signal)
    controller.abort()
    expect(await pending).toEqual({ status: 'rejected', accepted: expect.any(Number), reason: 'io_error' })
    pipe.readAll()
    expect(writer.export(batchOf(['{"seq":1}\n']), undefined)).toEqual({ status: 'accepted' })
    expect(pipe.readAll()).toBe('\n{"seq":1}\n')
  })

  // Fault rows: 22
  test('a line that exceeds PIPE_BUF on a shared pipe is reported once', () => {
    open({ sharedPipe: true })
    writer.exportSync(batchOf([lineOf(4_096), lineOf(4_000), lineOf(200)]), 0, true)
    expect(host.diagnostics).toEqual([])
    for (const length of [4_097, 5_000]) {
      pipe.readAll()
      writer.exportSync(batchOf([lineOf(100), lineOf(length), lineOf(100)]), 0, true)
    }
    expect(host.diagnostics).toEqual([
      {
        code: 'SLUICE_LINE_MAY_INTERLEAVE',
        message:
          'fd:test: a line is longer than the 4096 bytes that a pipe accepts atomically, so another writer may split it; lower limits.recordBytes',
      },
    ])
  })

  test('a long line on a pipe that is not shared is not reported', () => {
    open()
    writer.exportSync(batchOf([`${'x'.repeat(10_000)}\n`]), 0, true)
    expect(host.diagnostics).toEqual([])
  })

  async function drained(answer: ExportResult | PromiseLike<ExportResult>) {
    let text = ''
    const reader = setInterval(() => (text += pipe.readAll()), 1)
    const result = await answer
    clearInterval(reader)
    return { result, sequence: sequenceOf(text + pipe.readAll()) }
  }

  function drainSync(batch: ReturnType<typeof batchOf>): string {
    let text = ''
    const limit = host.monotonic() + 2_000
    for (let status = ''; status !== 'accepted'; text += pipe.readAll()) {
      ;({ status } = writer.exportSync(batch, host.monotonic() + 1, false))
      if (host.monotonic() > limit) throw new Error(`not drained: ${status}`)
    }
    return text
  }
})

describe('writes to a full device', () => {
  let full: number
  beforeAll(() => {
    full = openSync('/dev/full', 'w')
  })
  afterAll(() => closeSync(full))

  test('a final exportSync to a full device is rejected without waiting, and the error is reported', () => {
    const host = recordingHost()
    const writer = new FdWriter({ name: 'fd:full', open: () => nonBlockingDescriptor(full) })
    writer.start(host)
    const start = host.monotonic()
    const result = writer.exportSync(batchOf(numberedLines(3)), start + 2_000, true)
    expect(result).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
    expect(host.monotonic() - start).toBeLessThan(100)
    expect(host.diagnostics).toEqual([
      { code: 'SLUICE_WRITE_FAILED', message: 'fd:full: cannot write (ENOSPC); retrying' },
    ])
  })

  test('a batch that is retried on a full device is written to the new descriptor after switchTo', async () => {
    const host = recordingHost()
    const writer = new FdWriter({ name: 'fd:full', open: () => nonBlockingDescriptor(full) })
    writer.start(host)
    const pending = writer.export(batchOf(numberedLines(3)), undefined)
    const path = directory.path('space-again')
    writeFileSync(path, 'torn')
    const fd = openSync(path, 'a')
    writer.switchTo(nonBlockingDescriptor(fd))
    expect(await pending).toEqual({ status: 'accepted' })
    expect(readFileSync(path, 'utf8')).toBe(`torn\n${numberedLines(3).join('')}`)
    writer.close()
    closeSync(fd)
  })
})

describe('writes to a closed descriptor', () => {
  test('a batch for a descriptor that is not open is rejected and reported', () => {
    const host = recordingHost()
    const writer = new FdWriter({ name: 'fd:987', open: () => nonBlockingDescriptor(987) })
    writer.start(host)
    const result = writer.exportSync(batchOf(numberedLines(1)), 0, true)
    expect(result).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
    expect(host.diagnostics[0]?.message).toMatch('EBADF')
  })
})

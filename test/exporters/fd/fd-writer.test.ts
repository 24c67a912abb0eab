import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { writableDescriptor } from '../../../src/exporters/fd/descriptor.ts'
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

describe('a pipe', () => {
  let pipe: StallingPipe
  let host: RecordingHost
  let writer: FdWriter

  function open({
    sharedPipe = undefined as boolean | undefined,
    monotonic = undefined as (() => number) | undefined,
  } = {}): void {
    pipe = stallingPipe(directory.path(`pipe-${names++}`))
    host = recordingHost(monotonic)
    writer = new FdWriter({ name: 'fd:test', open: () => writableDescriptor(pipe.fd), sharedPipe })
    writer.start(host)
    writer.keepAlive(true)
  }

  afterEach(() => {
    writer.close()
    pipe.close()
  })

  test('that takes a batch at once is answered without a promise', () => {
    open()
    expect(writer.export(batchOf(numberedLines(10)), undefined)).toEqual({ status: 'accepted' })
    expect(sequenceOf(pipe.readAll())).toEqual(range(10))
  })

  test('that is full is waited for, and goes on at the byte (row 1)', async () => {
    open()
    const answer = writer.export(batchOf(numberedLines(1_000)), undefined)
    expect(answer).toBeInstanceOf(Promise)
    expect(await drained(answer)).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
    expect(host.problems).toEqual([])
  })

  test('goes on under fake timers', async () => {
    open()
    jest.useFakeTimers()
    const answer = writer.export(batchOf(numberedLines(1_000)), undefined)
    jest.useRealTimers()
    expect(await drained(answer)).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
  })

  test('that is full is not waited for by exportSync with a deadline in the past', () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    const start = host.monotonic()
    expect(writer.exportSync(batch, 0, false)).toMatchObject({ status: 'retryable', retryAfterMillis: 0 })
    expect(host.monotonic() - start).toBeLessThan(20)
    const before = pipe.readAll()
    expect(sequenceOf(before + drainSync(batch))).toEqual(range(1_000))
  })

  test('that has just refused is not asked again by every record of a burst', () => {
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

  test('whose reader never reads is given up at the deadline, with the whole records counted (row 11)', () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    const start = host.monotonic()
    const result = writer.exportSync(batch, start + 100, true)
    expect(host.monotonic() - start).toBeGreaterThanOrEqual(100)
    expect(host.monotonic() - start).toBeLessThan(200)
    const whole = pipe.readAll().split('\n').length - 1
    expect(result).toEqual({ status: 'retryable', accepted: whole, retryAfterMillis: 0 })
  })

  test('gets a newline first after a line that was given up', () => {
    open({ sharedPipe: false })
    writer.exportSync(batchOf(numberedLines(1_000)), 0, true)
    const text = pipe.readAll()
    expect(text.endsWith('\n')).toBe(false)
    expect(writer.exportSync(batchOf(['{"seq":1}\n']), 0, true)).toEqual({ status: 'accepted' })
    expect(pipe.readAll()).toBe('\n{"seq":1}\n')
  })

  test('gets a newline first when another batch comes instead of the one that was cut short', () => {
    open({ sharedPipe: false })
    writer.exportSync(batchOf(numberedLines(1_000)), 0, false)
    pipe.readAll()
    expect(writer.exportSync(batchOf(['{"seq":1}\n']), host.monotonic() + 100, false)).toEqual({ status: 'accepted' })
    expect(pipe.readAll()).toBe('\n{"seq":1}\n')
  })

  test('takes from exportSync what a pending export left, and both are answered alike', async () => {
    open()
    const batch = batchOf(numberedLines(400))
    const pending = writer.export(batch, undefined)
    const before = pipe.readAll()
    const result = writer.exportSync(batch, host.monotonic() + 100, true)
    expect(result).toEqual({ status: 'accepted' })
    expect(await pending).toEqual(result)
    expect(sequenceOf(before + pipe.readAll())).toEqual(range(400))
  })

  test('goes on with a pending export after a retryable exportSync', async () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    const pending = writer.export(batch, undefined)
    expect(writer.exportSync(batch, host.monotonic() + 3, false)).toMatchObject({ status: 'retryable' })
    expect(await drained(pending)).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
  })

  test('goes on at the byte when a batch begun by exportSync comes to export', async () => {
    open()
    const batch = batchOf(numberedLines(1_000))
    expect(writer.exportSync(batch, 0, false)).toMatchObject({ status: 'retryable' })
    const again = await drained(writer.export(batch, undefined))
    expect(again).toEqual({ result: { status: 'accepted' }, sequence: range(1_000) })
  })

  test('without a reader is told once, and later batches are refused without asking it (row 12)', () => {
    open()
    pipe.closeReader()
    const rejected = { status: 'rejected', accepted: 0, reason: 'io_error' }
    expect(writer.export(batchOf(numberedLines(3)), undefined)).toEqual(rejected)
    expect(writer.export(batchOf(numberedLines(3)), undefined)).toEqual(rejected)
    expect(writer.exportSync(batchOf(numberedLines(3)), Infinity, true)).toEqual(rejected)
    expect(host.problems).toEqual([
      { code: 'SLUICE_READER_GONE', message: 'fd:test: cannot write (EPIPE); later records are lost' },
    ])
  })

  test('whose reader goes away while a batch waits counts the records it took (row 12)', async () => {
    open()
    const pending = writer.export(batchOf(numberedLines(1_000)), undefined)
    const whole = pipe.read(65_536).split('\n').length - 1
    pipe.closeReader()
    expect(await pending).toEqual({ status: 'rejected', accepted: whole, reason: 'io_error' })
  })

  test('is given up when the signal says so', async () => {
    open({ sharedPipe: false })
    const controller = new AbortController()
    const pending = writer.export(batchOf(numberedLines(1_000)), controller.signal)
    controller.abort()
    expect(await pending).toEqual({ status: 'rejected', accepted: expect.any(Number), reason: 'io_error' })
    pipe.readAll()
    expect(writer.export(batchOf(['{"seq":1}\n']), undefined)).toEqual({ status: 'accepted' })
    expect(pipe.readAll()).toBe('\n{"seq":1}\n')
  })

  test('that is shared has a line told that it does not take whole, once (row 22)', () => {
    open({ sharedPipe: true })
    writer.exportSync(batchOf([lineOf(4_096), lineOf(4_000), lineOf(200)]), 0, true)
    expect(host.problems).toEqual([])
    for (const length of [4_097, 5_000]) {
      pipe.readAll()
      writer.exportSync(batchOf([lineOf(100), lineOf(length), lineOf(100)]), 0, true)
    }
    expect(host.problems).toEqual([
      {
        code: 'SLUICE_LINE_MAY_TEAR',
        message:
          'fd:test: a line is longer than the 4096 bytes that a shared pipe takes whole; other writers may fall inside it',
      },
    ])
  })

  test('that is not shared is not told of long lines', () => {
    open()
    writer.exportSync(batchOf([`${'x'.repeat(10_000)}\n`]), 0, true)
    expect(host.problems).toEqual([])
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

describe('a device without space', () => {
  let full: number
  beforeAll(() => {
    full = openSync('/dev/full', 'w')
  })
  afterAll(() => closeSync(full))

  test('ends at once when the process ends, with the error told', () => {
    const host = recordingHost()
    const writer = new FdWriter({ name: 'fd:full', open: () => writableDescriptor(full) })
    writer.start(host)
    const start = host.monotonic()
    const result = writer.exportSync(batchOf(numberedLines(3)), start + 2_000, true)
    expect(result).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
    expect(host.monotonic() - start).toBeLessThan(100)
    expect(host.problems).toEqual([
      { code: 'SLUICE_WRITE_FAILED', message: 'fd:full: cannot write (ENOSPC); trying again' },
    ])
  })

  test('is tried again with the same batch, which goes to the new descriptor when that is switched to', async () => {
    const host = recordingHost()
    const writer = new FdWriter({ name: 'fd:full', open: () => writableDescriptor(full) })
    writer.start(host)
    const pending = writer.export(batchOf(numberedLines(3)), undefined)
    const path = directory.path('space-again')
    writeFileSync(path, 'torn')
    const fd = openSync(path, 'a')
    writer.switchTo(writableDescriptor(fd))
    expect(await pending).toEqual({ status: 'accepted' })
    expect(readFileSync(path, 'utf8')).toBe(`torn\n${numberedLines(3).join('')}`)
    writer.close()
    closeSync(fd)
  })
})

describe('a descriptor that is not open', () => {
  test('is told and not asked again', () => {
    const host = recordingHost()
    const writer = new FdWriter({ name: 'fd:987', open: () => writableDescriptor(987) })
    writer.start(host)
    const result = writer.exportSync(batchOf(numberedLines(1)), 0, true)
    expect(result).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
    expect(host.problems[0]?.message).toMatch('EBADF')
  })
})

import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import { durable, type DurableWriter } from '../../../src/exporters/file/durable.ts'
import { fileSyncs } from '../../../src/exporters/file/file-syncs.ts'
import { WriterSession, timeIn } from '../../../src/exporters/process/writer-session.ts'
import { frame, FrameReader, Kind, type Frame } from '../../../src/exporters/process/writer-frames.ts'
import type { ExportResult } from '../../../src/pipeline/exporter.ts'
import { numberedLines } from '../../support/pipeline/batch.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'

const plain = ({ kind, id, value, payload }: Frame) => ({ kind, id, value, payload: [...payload] })
const bytesOf = (text: string): Uint8Array => Buffer.from(text)

test('frames come out as they went in, however the stream cuts them', () => {
  const kinds = Object.values(Kind)
  const some = fc.record({
    kind: fc.constantFrom(...kinds),
    id: fc.nat(),
    value: fc.nat(),
    payload: fc.uint8Array({ maxLength: 40 }),
  })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 30 })), (frames, cuts) => {
      const stream = Buffer.concat(frames.map(({ kind, id, value, payload }) => frame(kind, id, value, payload)))
      const come: Frame[] = []
      const reader = new FrameReader((frame) => come.push(frame))
      let at = 0
      for (const length of cuts) reader.push(stream.subarray(at, (at += length)))
      reader.push(stream.subarray(at))
      expect(come.map(plain)).toEqual(frames.map(plain))
    }),
  )
})

test('a frame that is longer than it may be is not waited for', () => {
  const come: Frame[] = []
  const reader = new FrameReader((frame) => come.push(frame), 10)
  reader.push(frame(Kind.problem, 0, 0, new Uint8Array(10)))
  expect(() => reader.push(frame(Kind.problem, 0, 0, new Uint8Array(11)))).toThrow(RangeError)
  expect(come).toHaveLength(1)
})

/** A session over a writer that answers when it is told to. */
function session(): {
  session: WriterSession
  written: string[]
  said: () => { kind: number; id: number; value: number }[]
  answer: (result: ExportResult) => void
} {
  const written: string[] = []
  const said: Frame[] = []
  let pending: ((result: ExportResult) => void) | undefined
  const writer: DurableWriter = {
    start: () => {},
    export(batch) {
      written.push(Buffer.from(batch.bytes()).toString())
      return new Promise((resolve) => (pending = resolve))
    },
    exportSync: (batch) => ({ status: 'retryable', accepted: batch.recordsIn(10) }),
    flush: async () => {},
  }
  const reader = new FrameReader((frame) => said.push(frame))
  return {
    session: new WriterSession(writer, (bytes) => reader.push(bytes)),
    written,
    said: () => said.map(({ kind, id, value }) => ({ kind, id, value })),
    answer: (result) => pending!(result),
  }
}

describe('the writer', () => {
  test('writes one batch after the other, and answers each with the bytes it has written', async () => {
    const { session: own, written, said, answer } = session()
    own.receive(Buffer.concat([frame(Kind.last, 1, 1, bytesOf('one\n')), frame(Kind.last, 2, 1, bytesOf('two\n'))]))
    expect(written).toEqual(['one\n'])
    answer({ status: 'accepted' })
    await new Promise(setImmediate)
    expect(written).toEqual(['one\n', 'two\n'])
    answer({ status: 'rejected', accepted: 2, reason: 'io_error' })
    await new Promise(setImmediate)
    expect(said()).toEqual([
      { kind: Kind.accepted, id: 1, value: 4 },
      { kind: Kind.rejected, id: 2, value: 2 },
    ])
  })

  test('puts a batch together from its parts, and forgets one that is taken back', () => {
    const { session: own, written } = session()
    own.receive(frame(Kind.part, 1, 1, bytesOf('taken ')))
    own.receive(frame(Kind.forget))
    own.receive(frame(Kind.part, 2, 1, bytesOf('half ')))
    own.receive(frame(Kind.last, 2, 1, bytesOf('whole\n')))
    expect(written).toEqual(['half whole\n'])
  })

  test('settles all that it has when it is told to finish, and answers nothing twice', async () => {
    const { session: own, said, answer } = session()
    own.receive(Buffer.concat([1, 2].map((id) => frame(Kind.last, id, 3, bytesOf(numberedLines(3).join(''))))))
    own.receive(frame(Kind.finish, 0, 0, timeIn(100)))
    answer({ status: 'accepted' })
    await new Promise(setImmediate)
    expect(said()).toEqual([1, 2].map((id) => ({ kind: Kind.retryable, id, value: 10 })))
    expect(await own.finish(0)).toBe(0)
  })

  test('counts what it gives up when its parent is gone, a batch included that has not come whole', async () => {
    const { session: own } = session()
    own.receive(frame(Kind.last, 1, 3, bytesOf(numberedLines(3).join(''))))
    own.receive(frame(Kind.part, 2, 5, bytesOf('half')))
    expect(await own.finish(1)).toBe(3 + 5)
  })

  test('answers for a destination that will never take a byte, and says why', async () => {
    const said: Frame[] = []
    const lines = new FdWriter({
      name: 'null',
      open: () => ({ fd: 1e6, kind: 'file', key: '', own: false, torn: false, unblock: undefined, close() {} }),
    })
    const host = recordingHost()
    const writer = durable(
      lines,
      fileSyncs('null', lines, () => host),
      'never',
    )
    writer.start(host)
    const reader = new FrameReader((frame) => said.push(frame))
    const own = new WriterSession(writer, (bytes) => reader.push(bytes))
    own.receive(frame(Kind.last, 1, 2, bytesOf(numberedLines(2).join(''))))
    expect(said).toMatchObject([{ kind: Kind.rejected, id: 1, value: 0 }])
    expect(host.problems).toMatchObject([{ message: 'null: cannot write (EBADF); later records are lost' }])
  })
})

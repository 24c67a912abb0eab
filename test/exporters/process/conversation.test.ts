import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import { withFsync, type DurableWriter } from '../../../src/exporters/file/durable-writer.ts'
import { createFileSyncs } from '../../../src/exporters/file/file-syncs.ts'
import { WriterSession, encodeDeadline } from '../../../src/exporters/process/writer-session.ts'
import { encodeFrame, FrameReader, FrameKind, type Frame } from '../../../src/exporters/process/writer-frames.ts'
import type { ExportResult } from '../../../src/pipeline/exporter.ts'
import { numberedLines } from '../../support/pipeline/batch.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'

const plain = ({ kind, id, value, payload }: Frame) => ({ kind, id, value, payload: [...payload] })
const bytesOf = (text: string): Uint8Array => Buffer.from(text)

test('frames are decoded unchanged for any split of the stream', () => {
  const kinds = Object.values(FrameKind)
  const some = fc.record({
    kind: fc.constantFrom(...kinds),
    id: fc.nat(),
    value: fc.nat(),
    payload: fc.uint8Array({ maxLength: 40 }),
  })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 30 })), (frames, cuts) => {
      const stream = Buffer.concat(frames.map(({ kind, id, value, payload }) => encodeFrame(kind, id, value, payload)))
      const received: Frame[] = []
      const reader = new FrameReader((frame) => received.push(frame))
      let at = 0
      for (const length of cuts) reader.push(stream.subarray(at, (at += length)))
      reader.push(stream.subarray(at))
      expect(received.map(plain)).toEqual(frames.map(plain))
    }),
  )
})

test('a frame over the length limit is rejected immediately', () => {
  const received: Frame[] = []
  const reader = new FrameReader((frame) => received.push(frame), 10)
  reader.push(encodeFrame(FrameKind.diagnostic, 0, 0, new Uint8Array(10)))
  expect(() => reader.push(encodeFrame(FrameKind.diagnostic, 0, 0, new Uint8Array(11)))).toThrow(RangeError)
  expect(received).toHaveLength(1)
})

/** A session with a writer whose exports settle when `answer` is called. */
function session(): {
  session: WriterSession
  written: string[]
  sent: () => { kind: number; id: number; value: number }[]
  answer: (result: ExportResult) => void
} {
  const written: string[] = []
  const sent: Frame[] = []
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
  const reader = new FrameReader((frame) => sent.push(frame))
  return {
    session: new WriterSession(writer, (bytes) => reader.push(bytes)),
    written,
    sent: () => sent.map(({ kind, id, value }) => ({ kind, id, value })),
    answer: (result) => pending!(result),
  }
}

describe('writer sessions', () => {
  test('a session writes one batch at a time and reports the bytes written of each', async () => {
    const { session: writerSession, written, sent, answer } = session()
    writerSession.receive(
      Buffer.concat([
        encodeFrame(FrameKind.last, 1, 1, bytesOf('one\n')),
        encodeFrame(FrameKind.last, 2, 1, bytesOf('two\n')),
      ]),
    )
    expect(written).toEqual(['one\n'])
    answer({ status: 'accepted' })
    await new Promise(setImmediate)
    expect(written).toEqual(['one\n', 'two\n'])
    answer({ status: 'rejected', accepted: 2, reason: 'io_error' })
    await new Promise(setImmediate)
    expect(sent()).toEqual([
      { kind: FrameKind.accepted, id: 1, value: 4 },
      { kind: FrameKind.rejected, id: 2, value: 2 },
    ])
  })

  test('a session assembles a batch from its parts and discards a batch after a forget frame', () => {
    const { session: writerSession, written } = session()
    writerSession.receive(encodeFrame(FrameKind.part, 1, 1, bytesOf('taken ')))
    writerSession.receive(encodeFrame(FrameKind.cancel))
    writerSession.receive(encodeFrame(FrameKind.part, 2, 1, bytesOf('half ')))
    writerSession.receive(encodeFrame(FrameKind.last, 2, 1, bytesOf('whole\n')))
    expect(written).toEqual(['half whole\n'])
  })

  test('a session settles all its batches once after a finish frame', async () => {
    const { session: writerSession, sent, answer } = session()
    writerSession.receive(
      Buffer.concat([1, 2].map((id) => encodeFrame(FrameKind.last, id, 3, bytesOf(numberedLines(3).join(''))))),
    )
    writerSession.receive(encodeFrame(FrameKind.finish, 0, 0, encodeDeadline(100)))
    answer({ status: 'accepted' })
    await new Promise(setImmediate)
    expect(sent()).toEqual([1, 2].map((id) => ({ kind: FrameKind.retryable, id, value: 10 })))
    expect(await writerSession.finish(0)).toBe(0)
  })

  test('a session counts the records that it abandons, including those of an incomplete batch', async () => {
    const { session: writerSession } = session()
    writerSession.receive(encodeFrame(FrameKind.last, 1, 3, bytesOf(numberedLines(3).join(''))))
    writerSession.receive(encodeFrame(FrameKind.part, 2, 5, bytesOf('half')))
    expect(await writerSession.finish(1)).toBe(3 + 5)
  })

  test('a session rejects batches for a descriptor that is not open, and reports the reason', async () => {
    const sent: Frame[] = []
    const lines = new FdWriter({
      name: 'null',
      open: () => ({
        fd: 1e6,
        kind: 'file',
        key: '',
        isExclusive: false,
        endsInsideLine: false,
        setNonBlocking: undefined,
        close() {},
      }),
    })
    const host = recordingHost()
    const writer = withFsync(
      lines,
      createFileSyncs('null', lines, () => host),
      'never',
    )
    writer.start(host)
    const reader = new FrameReader((frame) => sent.push(frame))
    const writerSession = new WriterSession(writer, (bytes) => reader.push(bytes))
    writerSession.receive(encodeFrame(FrameKind.last, 1, 2, bytesOf(numberedLines(2).join(''))))
    expect(sent).toMatchObject([{ kind: FrameKind.rejected, id: 1, value: 0 }])
    expect(host.diagnostics).toMatchObject([{ message: 'null: cannot write (EBADF); later records are lost' }])
  })
})

import * as fs from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { hasValidChecksum, withChecksum } from '../../../src/exporters/spool/checksum.ts'
import { FilePieces } from '../../../src/exporters/spool/pieces.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import { fakeCollector, status, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, folder, numbers, segmentsIn, spoolLogger, takes } from './spool-logger.ts'

let server: FakeCollector
beforeEach(async () => {
  server = await fakeCollector()
  server.respondAlways(status(503))
})
afterEach(async () => {
  await closeSpools()
  await server.close()
})

const lines = 3
const perLine = 2

/** A finished segment of three lines of two records each. */
async function segment(): Promise<Buffer> {
  const retry = { initialDelayMillis: 60_000, maxDelayMillis: 60_000 }
  const harness = spoolLogger({ url: server.url, otlp: { retry } })
  for (let line = 0; line < lines; line++) {
    harness.logAll(perLine, { amount: 1234.5, text: 'zwölf' })
    await harness.log.flush()
  }
  await harness.log.shutdown()
  return fs.readFileSync(segmentsIn(harness.directory)[0]!)
}

/** A directory that was left behind with one file. */
function leftBehind(content: Uint8Array, name: string): string {
  const directory = folder()
  fs.mkdirSync(join(directory, 'free-0123456789ab'))
  fs.writeFileSync(join(directory, 'free-0123456789ab', name), content)
  return directory
}

const finished = `0000000001.${lines * perLine}.0.crc32.jsonl`
const linesOf = (bytes: Buffer): string[] => bytes.toString('latin1').split('\n').slice(0, -1)

/** An exporter that keeps the exported records as text. */
function keeper(): Exporter & { readonly records: string[] } {
  const records: string[] = []
  return {
    name: 'keeper',
    encoding: otlpEncoding('http/json'),
    schedule: 'turn',
    delivery: {},
    records,
    export(batch) {
      records.push(...batch.records().map(({ text }) => text))
      return { status: 'accepted' }
    },
  }
}

async function replayed(content: Uint8Array, name = finished) {
  const exporter = keeper()
  const harness = spoolLogger({ exporter, directory: leftBehind(content, name) })
  await waitUntil(() => harness.stats().waiting === 0)
  return { ...harness, records: exporter.records }
}

describe('checksums of lines', () => {
  it('a checksum is the CRC-32 of the JSON, encoded as spaces (0) and tabs (1) at the end of the line', async () => {
    for (const line of linesOf(await segment())) {
      const [, json, blanks] = /^(\{.*\})([ \t]{32})$/.exec(line)!
      const bits = blanks!.replaceAll(' ', '0').replaceAll('\t', '1')
      expect(Number.parseInt(bits, 2)).toBe(crc32(Buffer.from(json!, 'latin1')))
      expect(JSON.parse(line)).toEqual(JSON.parse(json!))
    }
  })

  it('a checksum is valid for its line and invalid after any changed byte', () => {
    fc.assert(
      fc.property(fc.object(), fc.nat(), fc.integer({ min: 1, max: 255 }), (object, place, change) => {
        const text = JSON.stringify({ object })
        const half = text.length >> 1
        const line = withChecksum([Buffer.from(text.slice(0, half)), Buffer.from(`${text.slice(half)}\n`)])
        expect(line.at(-1)).toBe(10)
        const bytes = line.subarray(0, -1)
        expect(hasValidChecksum(bytes)).toBe(true)
        expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(JSON.parse(text))
        bytes[place % bytes.length]! ^= change
        expect(hasValidChecksum(bytes)).toBe(false)
      }),
    )
  })
})

describe('flipped bits in a segment', () => {
  it('a flipped bit at any position leaves only lines that were written', async () => {
    const bytes = await segment()
    const written = linesOf(bytes)
    const whole: number[] = []
    const changed: number[] = []
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      const found = new FilePieces(0)
        .push(damaged)
        .filter((piece) => piece.kind === 'line' && hasValidChecksum(piece.bytes))
        .map((piece) => Buffer.from(piece.bytes).toString('latin1'))
      if (found.some((line) => !written.includes(line))) changed.push(bit)
      whole.push(found.length)
    }
    expect(changed).toEqual([])
    // A flipped line end costs the lines before and after it.
    expect(new Set(whole)).toEqual(new Set([lines - 2, lines - 1]))
  })

  it('a flipped bit in any byte delivers no changed record, and is counted and reported', async () => {
    const bytes = await segment()
    const { records: written } = await replayed(bytes)
    expect(written).toHaveLength(lines * perLine)
    for (let at = 0; at < bytes.length; at += 1 + (at % 13)) {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 1 << (at & 7)
      const harness = await replayed(damaged)
      const { records, stats, log } = harness
      expect(records.filter((record) => !written.includes(record))).toEqual([])
      const { spooled, replayed: delivered, corrupt, quarantined } = stats()
      expect({ at, spooled, delivered }).toEqual({ at, spooled: lines * perLine, delivered: records.length })
      expect(delivered + corrupt).toBe(spooled)
      expect(corrupt).toBeGreaterThan(0)
      expect(quarantined).toBe(1)
      expect(harness.codes()).toEqual(expect.arrayContaining(['SLUICE_SPOOL_DAMAGED', 'SLUICE_SPOOL_LOST']))
      await log.shutdown()
    }
  })

  it('a line that does not match its checksum is counted and quarantined', async () => {
    const bytes = await segment()
    const damaged = Buffer.from(bytes.toString('latin1').replace('1234.5', '1234.7'), 'latin1')
    const { records, stats, problems, directory } = await replayed(damaged)
    expect(records).toHaveLength((lines - 1) * perLine)
    expect(stats()).toMatchObject({ corrupt: perLine, quarantined: 1, checksumFailed: 1 })
    expect(problems).toContainEqual({
      code: 'SLUICE_SPOOL_DAMAGED',
      message: 'a piece of a file of the spool does not match its checksum, and was moved to quarantine',
    })
    expect(problems).toContainEqual({
      code: 'SLUICE_SPOOL_LOST',
      message: `${perLine} records are lost: a file of the spool has damaged lines`,
    })
    const [kept] = fs.globSync('quarantine/*', { cwd: directory })
    expect(fs.readFileSync(join(directory, kept!), 'latin1')).toContain('1234.7')
  })
})

describe('segments without a newline at the end', () => {
  it.each([finished, '0000000001.open.crc32.jsonl', '0000000001.open.jsonl'])(
    'a segment %s without a final newline is delivered whole when the checksum of its last line is valid',
    async (name) => {
      const bytes = await segment()
      const { records: written } = await replayed(bytes)
      const { records, stats, codes } = await replayed(bytes.subarray(0, -1), name)
      expect(records).toEqual(written)
      expect(stats()).toMatchObject({
        spooled: 6,
        adopted: 6,
        replayed: 6,
        corrupt: 0,
        quarantined: 0,
        checksumFailed: 0,
      })
      expect(codes()).toEqual([])
    },
  )

  it('a segment with a truncated last line is delivered without that line, which is quarantined', async () => {
    const bytes = await segment()
    const { records: written } = await replayed(bytes)
    const last = bytes.lastIndexOf(10, -2) + 1
    for (let end = last + 1; end < bytes.length - 1; end += 1 + (end % 7)) {
      const { records, stats, log } = await replayed(bytes.subarray(0, end))
      expect({ end, records }).toEqual({ end, records: written.slice(0, -perLine) })
      expect(stats()).toMatchObject({ corrupt: perLine, quarantined: 1 })
      await log.shutdown()
    }
  })

  it('a segment without a final newline is delivered after a damaged line, which is quarantined', async () => {
    const bytes = await segment()
    const end = bytes.indexOf(10)
    const damaged = Buffer.concat([Buffer.from('x'), bytes.subarray(1, bytes.length - 1)])
    const { records, stats, directory } = await replayed(damaged)
    expect(records).toHaveLength((lines - 1) * perLine)
    expect(stats()).toMatchObject({ corrupt: perLine, quarantined: 1 })
    const [kept] = fs.globSync('quarantine/*', { cwd: directory })
    expect(fs.statSync(join(directory, kept!)).size).toBe(end + 1)
    const two = Buffer.concat([Buffer.from('junk\n'), bytes.subarray(bytes.lastIndexOf(10, -2) + 1, -1)])
    const pieces = new FilePieces(0)
    expect(pieces.push(two)).toEqual([])
    expect(pieces.end().map((piece) => [piece.kind, piece.bytes.length, piece.end])).toEqual([
      ['junk', 5, 5],
      ['line', two.length - 5, two.length],
    ])
  })

  it('a segment without checksums and a final newline is delivered without its last line', async () => {
    const text = uncheckedLine(0) + uncheckedLine(1)
    const { records, stats } = await replayed(Buffer.from(text.slice(0, -1)), '0000000001.2.0.jsonl')
    expect(records).toHaveLength(1)
    expect(stats()).toMatchObject({ corrupt: 1, quarantined: 1 })
  })
})

describe('files with checksums under a name without checksums', () => {
  it.each([`0000000001.${lines * perLine}.0.jsonl`, '0000000001.open.jsonl'])(
    'a file with checksums is verified under the name %s, in each byte',
    async (name) => {
      const bytes = await segment()
      const { records: written } = await replayed(bytes, name)
      expect(written).toHaveLength(lines * perLine)
      for (let at = 0; at < bytes.length; at += 1 + (at % 29)) {
        const damaged = Buffer.from(bytes)
        damaged[at]! ^= 1 << (at & 7)
        const { records, stats, log } = await replayed(damaged, name)
        expect({ at, changed: records.filter((record) => !written.includes(record)) }).toEqual({ at, changed: [] })
        expect(stats().quarantined).toBe(1)
        await log.shutdown()
      }
    },
  )
})

const uncheckedLine = (seq: number): string =>
  `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"key":"seq","value":{"intValue":"${seq}"}}]}]}]}]}\n`

describe('files of an earlier version without checksums', () => {
  it.each(['0000000001.open.jsonl', '0000000001.2.0.jsonl'])(
    'a file %s without checksums is delivered',
    async (name) => {
      const arrived = takes(server)
      const harness = spoolLogger({
        url: server.url,
        directory: leftBehind(Buffer.from(uncheckedLine(0) + uncheckedLine(1)), name),
      })
      await waitUntil(() => harness.stats().segments === 0)
      expect(arrived).toEqual(numbers(2))
      expect(harness.stats()).toMatchObject({ adopted: 2, replayed: 2, corrupt: 0 })
    },
  )

  it('a file without checksums is rejected under the name of a file with checksums', async () => {
    const { records, stats } = await replayed(
      Buffer.from(uncheckedLine(0) + uncheckedLine(1)),
      '0000000001.2.0.crc32.jsonl',
    )
    expect(records).toEqual([])
    expect(stats()).toMatchObject({ spooled: 2, corrupt: 2, checksumFailed: 2 })
  })
})

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { withChecksum } from '../../../src/exporters/spool/checksum.ts'
import { spool } from '../../../src/exporters/spool/spool.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { target, type Target } from './target.ts'

const left = ['free-0123456789ab', 'free-ba9876543210', 'owner-1-1-00000000-0123456789ab', 'quarantine'] as const
const segments = [
  '0000000001.2.0.crc32.jsonl',
  '0000000002.open.crc32.jsonl',
  '0000000003.999999999999999.7.crc32.jsonl',
  '0000000004.0.0.crc32.jsonl',
] as const
const names = [...segments, 'alive', '0.corrupt', 'notes.txt'] as const

const contents = fc.record({
  /** The lines of a segment. */
  lines: fc.array(fc.constantFrom('whole', 'whole', 'unchecked', 'text', 'bytes', 'torn'), { maxLength: 4 }),
  /** The bits to flip, modulo the length. */
  flips: fc.array(fc.nat(), { maxLength: 3 }),
})

const entries = fc.record({
  /** The directory that contains the entry, or that the entry replaces if it has no name. */
  directory: fc.constantFrom(...left),
  name: fc.option(fc.constantFrom(...names), { nil: undefined }),
  kind: fc.constantFrom(
    'file',
    'file',
    'file',
    'link',
    'link to a directory',
    'dangling link',
    'hard link',
    'directory',
    'pipe',
  ),
  contents,
})

const spools = fc.record({ entries: fc.array(entries, { maxLength: 6 }), mode: fc.constantFrom(0o700, 0o755, 0o1777) })

type Entry = (typeof entries)['generate'] extends (...args: never) => { value: infer E } ? E : never

const recordOf = (text: string): string =>
  `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"${text}"}}]}]}]}\n`

function bytesOf({ lines, flips }: Entry['contents']): Buffer {
  const bytes = Buffer.concat(
    lines.map((line) => {
      if (line === 'whole') return withChecksum([Buffer.from(recordOf('whole'))])
      if (line === 'unchecked') return Buffer.from(recordOf('unchecked'))
      if (line === 'torn') return Buffer.from(recordOf('torn').slice(0, 50))
      return line === 'text' ? Buffer.from('{"resourceLogs":[1]}\n') : Buffer.from([0, 255, 10, 123, 10])
    }),
  )
  if (bytes.length > 0) for (const flip of flips) bytes[(flip >> 3) % bytes.length]! ^= 1 << (flip & 7)
  return bytes
}

function plant(base: string, outside: string, entry: Entry): void {
  const path = join(base, entry.directory, entry.name ?? '')
  try {
    if (entry.name !== undefined) fs.mkdirSync(dirname(path), { mode: 0o700, recursive: true })
    // Do not write through a link that was created before.
    if (fs.lstatSync(dirname(path)).isSymbolicLink()) return
    if (entry.kind === 'file') fs.writeFileSync(path, bytesOf(entry.contents), { flag: 'wx' })
    else if (entry.kind === 'link') fs.symlinkSync(join(outside, segments[0]), path)
    else if (entry.kind === 'link to a directory') fs.symlinkSync(outside, path)
    else if (entry.kind === 'dangling link') fs.symlinkSync(join(outside, 'new'), path)
    else if (entry.kind === 'hard link') fs.linkSync(join(outside, segments[0]), path)
    else if (entry.kind === 'directory') fs.mkdirSync(path)
    else execFileSync('mkfifo', [path], { stdio: 'ignore' })
  } catch {
    // The path exists already.
  }
}

/** Creates files outside the spool, which must not change. */
function fillOutside(folder: string): string {
  const outside = join(folder, 'outside')
  fs.mkdirSync(outside)
  fs.writeFileSync(join(outside, segments[0]), withChecksum([Buffer.from(recordOf('outside'))]))
  fs.writeFileSync(join(outside, 'alive'), 'precious')
  fs.writeFileSync(join(outside, '0.corrupt'), 'precious')
  return outside
}

const stateOf = (directory: string): string =>
  fs
    .readdirSync(directory)
    .map((name) => `${name}: ${fs.readFileSync(join(directory, name), 'latin1')}`)
    .join('\n')

/** Spool directories with any contents: outside files do not change, damaged records are not delivered, and counts are consistent. */
export const spooledFiles: Target<unknown> = target('spools', spools, async ({ entries, mode }) => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'sluice-fuzz-'))
  const base = join(folder, 'spool')
  fs.mkdirSync(base)
  fs.chmodSync(base, mode)
  const outside = fillOutside(folder)
  const before = stateOf(outside)
  for (const entry of entries) plant(base, outside, entry)
  const delivered: string[] = []
  const exporter: Exporter = {
    name: 'keeper',
    encoding: otlpEncoding('http/json'),
    schedule: 'turn',
    delivery: {},
    export(batch) {
      delivered.push(...batch.records().map(({ text }) => text))
      return { status: 'accepted' }
    },
  }
  const spooled = spool(exporter, { directory: base, maxBytes: 2 ** 20 })
  const log = createLogger({ exporter: spooled, handleExit: false, onDiagnostic: () => {} })
  try {
    log.info('own')
    await log.flush()
    await waitUntil(() => spooled.spoolStats().segments === 0)
  } finally {
    await log.shutdown()
  }
  const strange = delivered.find((text) => !/"stringValue":"(?:whole|own)"/.test(text))
  if (strange !== undefined) throw new Error(`delivered: ${strange}`)
  if (!delivered.some((text) => text.includes('"own"'))) throw new Error('the record of this process was not delivered')
  const { spooled: all, replayed, expired, corrupt, waiting } = spooled.spoolStats()
  if (replayed + expired + corrupt + waiting !== all) throw new Error(`${all} records do not add up`)
  if (stateOf(outside) !== before) throw new Error(`outside was changed: ${stateOf(outside)}`)
  fs.rmSync(folder, { recursive: true })
})

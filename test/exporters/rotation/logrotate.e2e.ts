import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { startFaultChild, type FaultChild } from '../../faults/harness/fault-child.ts'
import { findMismatches, readSink, countSequence, type SinkContents } from '../../faults/harness/oracle.ts'
import { runChild } from '../../support/processes/child.ts'
import { needs } from '../../support/needs.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

const rotated = needs('logrotate', spawnSync('logrotate', ['--version']).status === 0)

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

/** A process that logged under load, and its rotated files. */
interface Run {
  readonly child: FaultChild
  /** All files, the oldest first. */
  readonly files: readonly string[]
  readonly found: SinkContents
  /** The text of all files, which contains NUL bytes if a truncated file has a hole. */
  readonly text: string
}

async function rotatedUnderLoad(name: string, options: object, lines: readonly string[]): Promise<Run> {
  const home = directory.path(name)
  mkdirSync(home)
  // logrotate rejects directories that others can write to.
  chmodSync(home, 0o755)
  const path = join(home, 'app.log')
  const sink = { to: 'file', path } as const
  const child = await startFaultChild({ subject: 'sluice', run: 'logrotate', sink, options: { exporter: options } })
  const config = join(home, 'logrotate.conf')
  const script = `  postrotate\n    kill -USR2 ${child.pid}\n  endscript`
  const body = lines.map((line) => `  ${line === 'signal' ? script.trimStart() : line}`)
  writeFileSync(config, [`${path} {`, '  rotate 20', ...body, '}', ''].join('\n'), { mode: 0o644 })
  const load = child.request({ do: 'log', count: 20_000, perTurn: 10, everyMillis: 1, padding: 200 })
  for (let rotations = 0; rotations < 8; rotations++) {
    const args = ['--force', '--state', join(home, 'state'), config]
    expect(await runChild({ command: 'logrotate', args })).toMatchObject({ code: 0, stderr: '' })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await load
  await child.request({ do: 'shutdown' })
  child.send({ do: 'end' })
  expect(await child.ended).toEqual({ code: 0, signal: null })
  const files = readdirSync(home)
    .filter((file) => file.startsWith('app.log'))
    .toSorted((a, b) => ageOf(b) - ageOf(a))
  const text = files.map((file) => read(join(home, file))).join('')
  return { child, files, found: readSink(text, 'logrotate'), text }
}

/** The number of rotations of a file. */
function ageOf(file: string): number {
  return Number(/\.log\.(\d+)/.exec(file)?.[1] ?? 0)
}

function read(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

// Fault rows: 24
describe('logrotate under load', () => {
  rotated.each([
    ['create and a signal', { reopenOn: 'SIGUSR2' }, ['create', 'signal']],
    ['nocreate and a signal', { reopenOn: 'SIGUSR2' }, ['nocreate', 'signal']],
    ['create, a signal and delaycompress', { reopenOn: 'SIGUSR2' }, ['create', 'compress', 'delaycompress', 'signal']],
    ['create, and no signal', {}, ['create']],
    ['nocreate, and no signal', {}, ['nocreate', 'missingok']],
  ])(
    'logrotate with %s loses, duplicates and tears no record',
    async (what, options, lines) => {
      const { child, files, found } = await rotatedUnderLoad(what.replaceAll(/\W+/g, '-'), options, lines)
      expect(findMismatches(found, new Map([[child.pid, child.stats!]]))).toEqual([])
      expect(files.length).toBeGreaterThan(lines.includes('signal') ? 7 : 1)
    },
    60_000,
  )

  rotated(
    'logrotate with copytruncate loses only records between copy and truncation, and leaves no hole',
    async () => {
      const { child, files, found, text } = await rotatedUnderLoad('copytruncate', {}, ['copytruncate'])
      expect(files.length).toBeGreaterThan(7)
      expect(text).not.toContain('\0')
      const seqs = found.sequences.get(child.pid)!
      const { unique, duplicates, disorder } = countSequence(found, child.pid)
      expect([duplicates, disorder, unique]).toEqual([0, 0, seqs.length])
      // One gap for each truncation at most, and at most two lines that the copy cut.
      const gaps = seqs.filter((seq, index) => seq !== (seqs[index - 1] ?? -1) + 1).length
      expect(gaps).toBeLessThan(files.length)
      expect(found.torn.length).toBeLessThan(files.length)
      // The number of records between copy and truncation depends on logrotate and the machine.
      expect(unique).toBeGreaterThan(10_000)
    },
    60_000,
  )

  rotated(
    'logrotate that deletes old files does not disturb the process',
    async () => {
      const { child, files, found } = await rotatedUnderLoad('delete', { reopenOn: 'SIGUSR2' }, [
        'rotate 1',
        'create',
        'signal',
      ])
      expect(files).toEqual(['app.log.1', 'app.log'])
      expect(found.torn).toEqual([])
      const seqs = found.sequences.get(child.pid)!
      const { emitted, written } = child.stats!
      // The remaining records are the last ones, without a gap.
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => emitted - seqs.length + index))
      expect(written).toBe(20_000)
    },
    60_000,
  )
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const MiB = 1_048_576
const lineBytes = 64 * MiB
/** 150 MiB, and four times the longest line. */
const maxKilobytes = 150 * 1_024 + (4 * lineBytes) / 1_024
const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const before = '{"level":"info","time":1772359200000,"msg":"before"}\n'
const after = '{"level":"info","time":1772359201000,"msg":"after"}\n'
const inMessage = ['{"level":"info","time":1772359200000,"msg":"', '"}\n'] as const
const inAttribute = ['{"level":"info","time":1772359200000,"msg":"m","value":"', '"}\n'] as const
const inNested = ['{"level":"info","time":1772359200000,"msg":"m","value":[{"text":"', '"}]}\n'] as const
const alone = ['', '\n'] as const
/** Whether all lines are tested. */
const testsAll = process.env['LONG_LINES'] === 'all'

/** Long lines: their name, the text around the repeated part, that part, and whether they are also tested in a short run. */
const lines: readonly (readonly [string, readonly [string, string], string, boolean])[] = [
  ['a message', inMessage, 'x', true],
  ['a message with escapes', inMessage, String.raw`ab\n\"`, false],
  ['a message in German', inMessage, 'ü', false],
  ['a message in Japanese', inMessage, '日', false],
  ['an attribute', inAttribute, 'x', false],
  ['an attribute with escapes', inAttribute, String.raw`ab\n\"`, true],
  ['an attribute in German', inAttribute, 'ü', false],
  ['a member of an attribute', inNested, String.raw`a\\`, false],
  ['no known format', alone, 'q', false],
  ['NUL bytes', alone, '\0', false],
]
const commands: readonly (readonly string[])[] = [
  ...['pretty', 'line', 'json', 'raw', 'logfmt', 'otlp', 'csv'].map((format) => ['-o', format]),
  ['stats'],
  ['check'],
]
let folder: string
let preload: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-memory-'))
  preload = join(folder, 'preload.cjs')
  writeFileSync(
    preload,
    `const { readFileSync, writeSync } = require('node:fs')
    process.on('exit', () => writeSync(3, /^VmHWM:\\s*(\\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1]))`,
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a file with a long line between two short ones. */
function writeLongLine(path: string, [head, tail]: readonly [string, string], part: string): void {
  const bytes = Buffer.from(part.repeat(Math.floor(MiB / Buffer.byteLength(part))))
  const fd = openSync(path, 'w')
  writeSync(fd, before + head)
  for (let count = 0; count < lineBytes / MiB; count++) writeSync(fd, bytes)
  writeSync(fd, tail + after)
  closeSync(fd)
}

test.each(lines.filter(([, , , isShort]) => isShort || testsAll))(
  'a line of 64 MiB with %s needs at most 150 MiB and four times its length in every output',
  async (_, around, part) => {
    const path = join(folder, 'long.log')
    writeLongLine(path, around, part)
    const nowhere = openSync('/dev/null', 'w')
    const exceeding: string[] = []
    for (const args of commands) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--require', preload, program, ...args, path],
        { stdio: ['ignore', nowhere, 'pipe', 'pipe'] },
      )
      const [stderr, rss] = await Promise.all([
        text(child.stderr!),
        text(child.stdio[3] as Readable),
        once(child, 'close'),
      ])
      expect([args, stderr]).toEqual([args, ''])
      expect(Number(rss)).toBeGreaterThan(lineBytes / 1_024)
      if (Number(rss) > maxKilobytes) exceeding.push(`${args.join(' ')}: ${rss} kB`)
    }
    closeSync(nowhere)
    expect(exceeding).toEqual([])
  },
  240_000,
)

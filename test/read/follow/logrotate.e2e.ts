import { afterEach, beforeEach, describe, expect } from '@jest/globals'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { followFile } from '../../../src/read/follow/follow-file.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { needs } from '../../support/needs.ts'
import { runChild } from '../../support/processes/child.ts'

const logrotate = needs('logrotate', spawnSync('logrotate', ['--version']).status === 0)
const ROTATIONS = 50

/** Writes numbered lines until its standard input ends, and opens the log again on SIGUSR2 if it was renamed. */
const writer = `
import { closeSync, openSync, writeSync } from 'node:fs'
let fd = openSync(process.argv[1], 'a')
process.on('SIGUSR2', () => {
  closeSync(fd)
  fd = openSync(process.argv[1], 'a')
})
let number = 0
const timer = setInterval(() => {
  let lines = ''
  for (let count = 0; count < 40; count++) lines += number++ + ' line of a log\\n'
  writeSync(fd, lines)
}, 1)
process.stdin.on('end', () => {
  clearInterval(timer)
  writeSync(fd, 'end ' + number + '\\n')
}).resume()
`

let directory: TemporaryDirectory
let child: ChildProcess | undefined
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => {
  child?.kill('SIGKILL')
  directory.remove()
})

interface Run {
  /** The numbers of the lines in the order in which they were returned. */
  readonly numbers: readonly number[]
  /** How many lines were written. */
  readonly written: number
  /** The numbers in all files at the end. */
  readonly inFiles: ReadonlySet<number>
  readonly events: readonly string[]
}

async function followLogrotate(lines: readonly string[]): Promise<Run> {
  const home = directory.path('log')
  mkdirSync(home)
  // logrotate rejects directories that others can write to.
  chmodSync(home, 0o755)
  const path = join(home, 'app.log')
  const writing = spawn(process.execPath, ['--input-type=module', '--eval', writer, path], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child = writing
  const script = `postrotate\n    kill -USR2 ${writing.pid}\n  endscript`
  const config = join(home, 'logrotate.conf')
  const body = ['rotate 100', ...lines.map((line) => (line === 'signal' ? script : line))]
  writeFileSync(config, `${path} {\n  ${body.join('\n  ')}\n}\n`, { mode: 0o644 })

  const numbers: number[] = []
  const events: string[] = []
  let written: number | undefined
  let rotating: Promise<void> | undefined
  for await (const item of followFile(path)) {
    if ('event' in item) events.push(item.event)
    else {
      for (const line of item.bytes.toString().trimEnd().split('\n')) {
        if (line.startsWith('end ')) written = Number(line.slice(4))
        else numbers.push(Number.parseInt(line, 10))
      }
    }
    rotating ??= numbers.length > 0 ? rotate(config, home).finally(() => writing.stdin.end()) : undefined
    if (written !== undefined) break
  }
  await rotating
  const texts = readdirSync(home)
    .filter((name) => name.startsWith('app.log'))
    .map((name) => read(join(home, name)))
  const inFiles = new Set(
    texts.flatMap((text) =>
      text
        .split('\n')
        .filter((line) => /^\d+ line of a log$/.test(line))
        .map((line) => Number.parseInt(line, 10)),
    ),
  )
  return { numbers, written: written!, inFiles, events }
}

async function rotate(config: string, home: string): Promise<void> {
  for (let rotation = 0; rotation < ROTATIONS; rotation++) {
    // gzip reports a file that grows while it is compressed.
    const args = ['--force', '--state', join(home, 'state'), config]
    expect(await runChild({ command: 'logrotate', args })).toMatchObject({ code: 0 })
  }
}

function read(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

describe('following a log that logrotate rotates 50 times', () => {
  logrotate.each([
    ['create and a signal', ['create', 'signal']],
    ['create, compress, delaycompress and a signal', ['create', 'compress', 'delaycompress', 'signal']],
    ['nocreate and a signal', ['nocreate', 'missingok', 'signal']],
  ])(
    'logrotate with %s causes no lost or repeated line',
    async (_, lines) => {
      const { numbers, written } = await followLogrotate(lines)
      expect(numbers.length).toBe(written)
      expect(new Set(numbers).size).toBe(written)
    },
    120_000,
  )

  logrotate.each([
    // The program can write to the old file while and after it is compressed, and logrotate then deletes it.
    ['create, compress and a signal', ['create', 'compress', 'signal']],
    ['copytruncate', ['copytruncate']],
    ['copytruncate and compress', ['copytruncate', 'compress']],
  ])(
    'following a log with %s loses only lines that logrotate loses',
    async (_, lines) => {
      const { numbers, written, inFiles } = await followLogrotate(lines)
      const seen = new Set(numbers)
      expect(numbers.length - seen.size).toBe(0)
      // A line that is in no file was written between copy and truncation, or to a deleted file.
      const lost = Array.from({ length: written }, (_, number) => number).filter((number) => !seen.has(number))
      expect(lost.filter((number) => inFiles.has(number))).toEqual([])
      // Their number depends on logrotate and the machine.
      expect(lost.length).toBeLessThan(written / 2)
    },
    120_000,
  )
})

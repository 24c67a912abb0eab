import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../support/exit-programs/bridge-burst.ts', import.meta.url))
const lateMillis = 500
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-bridge-exits-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program; the reader of its standard output begins late. */
async function output(front: string, way: string, to: string): Promise<string> {
  const child = spawn(process.execPath, [program, JSON.stringify({ front, way, to })], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let text = ''
  const ended = once(child.stdout, 'end')
  setTimeout(() => child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece)), lateMillis)
  await Promise.all([once(child, 'exit'), ended])
  return to === '' ? text : readFileSync(to, 'utf8')
}

/** The numbers of the lines, in order; throws where a line is torn. */
function numbers(text: string): number[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => (JSON.parse(line) as { seq: number }).seq)
}

const all = Array.from({ length: 2_000 }, (_, seq) => seq)
const ways = ['end', 'exit', 'throw', 'SIGTERM']

describe('2,000 lines arrive whole and in order, however the process ends', () => {
  test.each(ways)('of bunyan, to a pipe that is read late: %s', async (way) => {
    expect(numbers(await output('bunyan', way, ''))).toEqual(all)
  })

  test.each(ways)('of bole, to a pipe that is read late: %s', async (way) => {
    expect(numbers(await output('bole', way, ''))).toEqual(all)
  })

  test.each(ways)('of bunyan, to a file, in the first turn: %s', async (way) => {
    expect(numbers(await output('bunyan', way, join(folder, `file-${way}`)))).toEqual(all)
  })

  test.each(ways)('of bunyan, to a rotating file, in the first turn: %s', async (way) => {
    expect(numbers(await output('bunyan rotating', way, join(folder, `rotating-${way}`)))).toEqual(all)
  })
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../support/exit-programs/pino-burst.ts', import.meta.url))
const lateMillis = 500
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-pino-exits-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program; the reader of its standard output begins late. */
async function output(way: string, to: string, minLength = 0): Promise<string> {
  const child = spawn(process.execPath, [program, JSON.stringify({ way, to, minLength })], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let text = ''
  const late = setTimeout(
    () => child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece)),
    lateMillis,
  )
  await once(child, 'exit')
  clearTimeout(late)
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await (child.stdout.readableEnded ? undefined : once(child.stdout, 'end'))
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
  test.each(ways)('to a pipe that is read late: %s', async (way) => {
    expect(numbers(await output(way, ''))).toEqual(all)
  })

  test.each(ways)('to a file, in the first turn: %s', async (way) => {
    expect(numbers(await output(way, join(folder, `file-${way}`)))).toEqual(all)
  })

  test.each(ways)('to a file, held back for larger writes: %s', async (way) => {
    expect(numbers(await output(way, join(folder, `held-${way}`), 4_096))).toEqual(all)
  })

  test.each(ways)("through a transport's thread, which has not begun yet: %s", async (way) => {
    expect(numbers(await output(`transport ${way}`, join(folder, `thread-${way}`)))).toEqual(all)
  })
})

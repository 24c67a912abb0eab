import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PrintingWork } from '../support/processes/console-million.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

const program = fileURLToPath(new URL('../support/processes/console-million.ts', import.meta.url))
const LINES = 1_000_000
const PIECE = 65_536
const expected = Array.from({ length: LINES }, (_, i) => `line ${i}\n`).join('')

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

/** Runs a program that prints a million lines to a file descriptor. */
async function print(fd: number, turns: number, ...clock: string[]): Promise<PrintingWork> {
  const child = spawn(process.execPath, [program, `${LINES}`, `${turns}`, ...clock], {
    stdio: ['ignore', fd, 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(stderr) as PrintingWork
}

/** Returns the maximum number of writes: one for each 64 KiB, and one for the rest of each turn. */
const mostCalls = (turns: number): number => Math.ceil(expected.length / PIECE) + turns

/** The maximum number of writes per 64 KiB to a pipe: whole lines up to 4,096 bytes, so each is short by a line at most. */
const mostPieces = Math.ceil(PIECE / (4_096 - 'line 999999\n'.length))

describe.each([1, 20])('a million lines in %d turns of the event loop', (turns) => {
  test('a captured console writes at most once per 64 KiB and turn to a file, without losing or reordering lines', async () => {
    const path = directory.path(`file-${turns}`)
    const fd = openSync(path, 'a')
    const { calls, systemCalls, written } = await print(fd, turns, 'still')
    closeSync(fd)
    expect(readFileSync(path, 'latin1') === expected).toBe(true)
    expect(written).toBe(LINES)
    expect(calls).toMatchObject({ short: 0, refused: 0, bytes: expected.length })
    expect(calls.whole).toBeLessThanOrEqual(mostCalls(turns))
    expect(systemCalls ?? calls.whole).toBe(calls.whole)
  })

  test('a captured console writes at most once per PIPE_BUF bytes of whole lines to a pipe, apart from partial writes', async () => {
    const { fd, read, close } = stallingPipe(directory.path(`pipe-${turns}`))
    const parts: string[] = []
    let reading = setImmediate(function next() {
      parts.push(read())
      reading = setImmediate(next)
    })
    const { calls, written } = await print(fd, turns)
    clearImmediate(reading)
    for (let part = read(); part !== ''; part = read()) parts.push(part)
    close()
    expect(parts.join('') === expected).toBe(true)
    expect(written).toBe(LINES)
    expect(calls.bytes).toBe(expected.length)
    expect(calls.whole).toBeLessThanOrEqual(mostPieces * mostCalls(turns))
  })
})

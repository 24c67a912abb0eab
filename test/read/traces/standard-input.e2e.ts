import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { line, LogFolder } from '../sort/sorting.ts'

const program = fileURLToPath(new URL('traces-program.ts', import.meta.url))

let folder: LogFolder
beforeAll(() => {
  folder = new LogFolder()
})
afterAll(() => folder.remove())

/** Starts a program that writes the lines of the traces with an error in its standard input. */
function start(name: string): { readonly child: ChildProcess; readonly temporary: string } {
  const temporary = join(folder.path, name)
  mkdirSync(temporary)
  const env = { ...process.env, TMPDIR: temporary }
  return { child: spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] }), temporary }
}

const traceOf = (number: number): string => number.toString(16).padStart(32, '0')

describe('the traces of records of standard input', () => {
  it('are complete, although the error is the last record', async () => {
    const { child, temporary } = start('complete')
    const count = 20_000
    for (let index = 1; index <= count; index++) {
      child.stdin!.write(line(index, `request ${index}`, { trace_id: traceOf(index % 1000) }))
    }
    child.stdin!.end(line(count, 'failed', { level: 'error', trace_id: traceOf(7) }))
    const lines = (await text(child.stdout!)).trimEnd().split('\n')
    expect(lines).toHaveLength(count / 1000 + 1)
    expect(lines.every((each) => each.includes(traceOf(7)))).toBe(true)
    expect(readdirSync(temporary)).toEqual([])
  })

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('leave no file if the process is ended by %s', async (signal) => {
    const { child, temporary } = start(signal)
    // More than the buffers of a pipe hold, so that the program has copied a part when all is written.
    const chunk = line(1, 'x'.repeat(1000), { trace_id: traceOf(1) }).repeat(1000)
    for (let index = 0; index < 8; index++) if (!child.stdin!.write(chunk)) await once(child.stdin!, 'drain')
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([null, signal])
    expect(readdirSync(temporary)).toEqual([])
  })
})

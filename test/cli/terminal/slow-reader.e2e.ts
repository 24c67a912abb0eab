import { afterAll, expect } from '@jest/globals'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { needs } from '../../support/needs.ts'

const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))
const directory = temporaryDirectory()
afterAll(() => directory.remove())

const onLinux = needs('Linux', process.platform === 'linux')

/** Returns the CPU time of a process in milliseconds. */
function cpuMillis(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Reads all bytes that a non-blocking pipe has; undefined at its end. */
function readAvailable(fd: number, buffer: Buffer): Buffer | undefined {
  try {
    const count = readSync(fd, buffer, 0, buffer.length, null)
    return count === 0 ? undefined : Buffer.from(buffer.subarray(0, count))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return Buffer.alloc(0)
    throw error
  }
}

onLinux('waits for the reader of a full non-blocking pipe without using the CPU, and loses nothing', async () => {
  const log = directory.path('app.log')
  const fifo = directory.path('fifo')
  const text = Array.from({ length: 20_000 }, (_, index) => `{"level":"info","message":"record ${index}"}\n`).join('')
  writeFileSync(log, text)
  execFileSync('mkfifo', [fifo])
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK)
  // Node makes the standard output of its children blocking.
  const nonBlocking = 'import os,sys\nos.set_blocking(1, False)\nos.execv(sys.argv[1], sys.argv[1:])'
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', program, '-o', 'raw', log]
  const child = spawn('python3', ['-c', nonBlocking, ...node], { stdio: ['ignore', writer, 'pipe'] })
  closeSync(writer)
  const exit = once(child, 'exit')
  const buffer = Buffer.alloc(65_536)
  const parts: Buffer[] = []
  try {
    // Once the first bytes have been read, the program fills the pipe again and waits.
    while (parts.length === 0) {
      const first = readAvailable(reader, buffer)
      if (first !== undefined && first.length > 0) parts.push(first)
      await delay(10)
    }
    await delay(1_500)
    const before = cpuMillis(child.pid!)
    await delay(1_500)
    expect(cpuMillis(child.pid!) - before).toBeLessThanOrEqual(100)
    for (let part = readAvailable(reader, buffer); part !== undefined; part = readAvailable(reader, buffer)) {
      if (part.length === 0) await delay(1)
      else parts.push(part)
    }
    expect(Buffer.concat(parts).toString()).toBe(text)
    expect(await exit).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
    closeSync(reader)
  }
})

/** Returns the greatest resident size of a run that shows a file, in bytes. */
function peakMemory(file: string): number {
  const script = `"${process.execPath}" --disable-warning=ExperimentalWarning "${program}" "${file}" | cat > "${file}.shown"`
  // In KiB.
  const python = `import resource,subprocess,sys
subprocess.run(['sh','-c',sys.argv[1]],check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)`
  return Number(execFileSync('python3', ['-c', python, script], { encoding: 'utf8' })) * 1_024
}

onLinux('writes a line of 64 MiB in pieces, with at most four times its length more memory than for no line', () => {
  const empty = directory.path('empty.log')
  const log = directory.path('long-line.log')
  const bytes = 64 * 1_048_576
  writeFileSync(empty, '')
  writeFileSync(log, `{"level":"info","message":"${'x'.repeat(bytes)}"}\n`)
  const peak = peakMemory(log) - peakMemory(empty)
  expect(readFileSync(`${log}.shown`).length).toBe(`---------- --:--:--.--- INFO  ${'x'.repeat(bytes)}\n`.length)
  // Of the 150 MB that are allowed in addition, the program itself needs about 100.
  expect(peak).toBeLessThan(50e6 + 4 * bytes)
})

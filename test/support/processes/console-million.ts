// Prints lines to a captured console in several turns and writes the number of write calls to standard error: `PrintingWork`.
import { writeSync } from 'node:fs'
import { between, countWriteCalls, systemWrites, type WriteCalls } from '../work/write-calls.ts'

/** The work of printing. */
export interface PrintingWork {
  readonly calls: WriteCalls
  /** The write calls as counted by the system on all descriptors, except those that wake an event loop. */
  readonly systemCalls: number | undefined
  readonly written: number
}

/** The bytes that a thread writes to wake the event loop of another. */
const WAKE_UP = 8

const [lines, turns] = process.argv.slice(2).map(Number) as [number, number]
// On a stopped clock no write to a file is slow, so none moves to a background thread.
if (process.argv[4] === 'still') performance.now = () => 0
const counted = countWriteCalls()
const { captureConsole } = await import('../../../src/entries/console.ts')
const capture = captureConsole()
const before = systemWrites()
for (let i = 0; i < lines; i++) {
  console.log('line %d', i)
  if ((i + 1) % (lines / turns) === 0) await new Promise((resolve) => void setImmediate(resolve))
}
await capture.flush()
const after = systemWrites()
const calls = { ...counted }
const { written } = capture.stats()
await capture.release()
const system = before && after && between(before, after)
const systemCalls = system && system.calls - (system.bytes - calls.bytes) / WAKE_UP
writeSync(2, JSON.stringify({ calls, systemCalls, written } satisfies PrintingWork))

// An application that logs at a constant rate and reports its delivery statistics over a pipe. SIGUSR2 starts a graceful shutdown.
import { createHash, randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpExporter } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { Application, StatsReport } from './oracle.ts'

const { run, url, recordsPerSecond, pipe } = JSON.parse(process.argv[2]!) as Application
const TICK_MILLIS = 10

// The settings of docs/guides/scale.md: no record is dropped while a later component is down.
const exporter = otlpExporter({
  url,
  maxQueueSize: 32_768,
  maxQueueBytes: 32 * 1024 * 1024,
  retry: { maxElapsedMillis: 600_000 },
})
const log = createLogger({ resource: { 'service.name': 'end-to-end' }, exporter })
let seq = 0

function logOne(): void {
  // Text of any length, with characters of one to four bytes.
  const payload = 'aä€😀'.repeat(seq % 97) + randomBytes(seq % 50).toString('hex')
  const hash = createHash('sha256').update(`${run}:${process.pid}:${seq}:${payload}`).digest('hex')
  log.info('record {seq}', { run, pid: process.pid, seq, payload, hash })
  seq++
}

function report(ended: boolean): void {
  const { emitted, written, queued, unknown, dropped, exporters } = log.stats()
  const { maybeDuplicated } = exporters[0]!
  const counts = { emitted, written, queued, unknown, dropped: dropped.total, maybeDuplicated }
  const current: StatsReport = { pid: process.pid, ...counts, ended }
  writeSync(pipe, JSON.stringify(current) + '\n')
}

const begin = performance.now()
const ticking = setInterval(() => {
  while (seq < ((performance.now() - begin) / 1000) * recordsPerSecond) logOne()
  report(false)
}, TICK_MILLIS)

process.once('SIGUSR2', () => void end())

async function end(): Promise<void> {
  clearInterval(ticking)
  await log.flush({ timeoutMillis: 30_000 })
  await log.shutdown()
  report(true)
}

console.log('ready')

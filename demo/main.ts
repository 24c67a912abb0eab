/**
 * A node:http server takes CSV uploads and logs one record per row and two per request: without logging, with console.log,
 * with pino and with sluice. Then a reader that shares no code with sluice checks the log files. Exits with code 1 on any error.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deliveryErrors } from './delivery.ts'
import { labels, measure } from './measure.ts'
import type { Measurement, Mode } from './measure.ts'
import { plan, requests } from './plan.ts'
import { createProgress } from './progress.ts'
import { readLog } from './reader.ts'
import type { Verdict } from './reader.ts'
import { report } from './report.ts'
import type { Findings } from './report.ts'

const calls = requests * (plan.rows + 2)
const progress = createProgress()
const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => interrupted.abort(new Error(`interrupted by ${name}`)))
}
const signal = AbortSignal.any([AbortSignal.timeout(plan.limitSeconds * 1_000), interrupted.signal])

const folder = await mkdtemp(join(tmpdir(), 'sluice-demo-'))
const failures = await run().catch((error: unknown) => [`the demo failed: ${reasonOf(error)}`])
progress.end()
// Stop the processes that still run.
interrupted.abort()

const seconds = (performance.now() / 1_000).toFixed(1)
if (failures.length === 0) {
  await rm(folder, { recursive: true })
  console.log(`\nAll checks passed in ${seconds} s.`)
} else {
  process.exitCode = 1
  console.log(`\nFAILED after ${seconds} s; the log files are kept in ${folder}`)
  for (const failure of failures) console.log(`  ${failure}`)
}

async function run(): Promise<readonly string[]> {
  const measurement = await measure(folder, progress, signal)
  const verdicts = {
    console: await read(measurement, 'console'),
    pino: await read(measurement, 'pino'),
    sluice: await read(measurement, 'sluice'),
  }
  const stats = measurement.servers.find(({ mode }) => mode === 'sluice')?.stats
  const findings = { measurement, verdicts, deliveryErrors: deliveryErrors(stats, calls, verdicts.sluice.lines) }
  progress.end()
  console.log(report(findings))
  return failuresOf(findings)
}

async function read({ servers }: Measurement, mode: Mode): Promise<Verdict> {
  const file = servers.find((server) => server.mode === mode)?.file ?? ''
  progress.phase(`reading the file of ${labels[mode]}`, (await stat(file)).size)
  return readLog(file, { requests, rows: plan.rows }, { signal, onProgress: (done) => progress.at(done) })
}

function failuresOf({ deliveryErrors, verdicts }: Findings): readonly string[] {
  const plain = verdicts.console
  const failures = [...deliveryErrors, ...verdicts.sluice.errors.map(({ text }) => text)]
  // Unredacted lines show that the reader works: it must find every secret in them.
  if (plain.leaks !== plain.planted)
    failures.push(`the reader misses secrets: ${plain.leaks} of ${plain.planted} found`)
  const other = plain.errors.find(({ kind }) => kind !== 'secret' && kind !== 'mark')
  if (other !== undefined)
    failures.push(`the file of console.log is broken, so the comparison is invalid: ${other.text}`)
  const [error] = verdicts.pino.errors
  if (error !== undefined) failures.push(`the file of pino is broken, so the comparison is invalid: ${error.text}`)
  return failures
}

function reasonOf(error: unknown): string {
  const reason: unknown = signal.aborted ? signal.reason : error
  return reason instanceof Error ? reason.message : String(reason)
}

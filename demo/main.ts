/**
 * A node:http server takes CSV uploads and logs a record per row and two per request: without logging, with console.log,
 * with pino, with sluice. Then a reader that shares no code with sluice judges the files. Ends with 1 if anything is not as promised.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ledgerProblems } from './ledger.ts'
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
const failures = await run().catch((error: unknown) => [`the demo could not be finished: ${reasonOf(error)}`])
progress.end()
// Those that still run have no more to say.
interrupted.abort()

const seconds = (performance.now() / 1_000).toFixed(1)
if (failures.length === 0) {
  await rm(folder, { recursive: true })
  console.log(`\nEverything as promised, in ${seconds} s.`)
} else {
  process.exitCode = 1
  console.log(`\nFAILED after ${seconds} s; the log files are kept in ${folder}`)
  for (const failure of failures) console.log(`  ${failure}`)
}

async function run(): Promise<readonly string[]> {
  const measurement = await measure(folder, progress, signal)
  const verdicts = {
    console: await judge(measurement, 'console'),
    pino: await judge(measurement, 'pino'),
    sluice: await judge(measurement, 'sluice'),
  }
  const stats = measurement.servers.find(({ mode }) => mode === 'sluice')?.stats
  const findings = { measurement, verdicts, ledgerProblems: ledgerProblems(stats, calls, verdicts.sluice.lines) }
  progress.end()
  console.log(report(findings))
  return failuresOf(findings)
}

async function judge({ servers }: Measurement, mode: Mode): Promise<Verdict> {
  const file = servers.find((server) => server.mode === mode)?.file ?? ''
  progress.phase(`reading the file of ${labels[mode]}`, (await stat(file)).size)
  return readLog(file, { requests, rows: plan.rows }, { signal, onProgress: (done) => progress.at(done) })
}

function failuresOf({ ledgerProblems, verdicts }: Findings): readonly string[] {
  const plain = verdicts.console
  const failures = [...ledgerProblems, ...verdicts.sluice.problems.map(({ text }) => text)]
  // Unredacted lines are the proof that the reader sees: it must find everything there.
  if (plain.leaks !== plain.planted)
    failures.push(`the reader overlooks secrets: ${plain.leaks} of ${plain.planted} found`)
  const other = plain.problems.find(({ kind }) => kind !== 'secret' && kind !== 'mark')
  if (other !== undefined) failures.push(`the file of console.log is broken, so the comparison is none: ${other.text}`)
  const [problem] = verdicts.pino.problems
  if (problem !== undefined) failures.push(`the file of pino is broken, so the comparison is none: ${problem.text}`)
  return failures
}

function reasonOf(error: unknown): string {
  const reason: unknown = signal.aborted ? signal.reason : error
  return reason instanceof Error ? reason.message : String(reason)
}

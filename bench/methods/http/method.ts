import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { spread } from '../../report/statistics.ts'
import { subjects } from '../../subjects/index.ts'
import { nameOf, type Job, type Method, type Run } from '../method.ts'
import { checkLog } from './check-log.ts'
import { httpOf } from './http-of.ts'
import { runLaps, type Ended, type EndedRun, type Lap } from './laps.ts'
import { serviceOf } from './services.ts'

/** Below this share of the time the server was waiting for the load, which is then what was measured. */
const leastBusy = 0.8
/** What a run may take besides the load, in seconds. */
const patience = 60

/** A server and its load, in a process each; the standard output of the server is a file, which is checked at the end. */
export const http: Method = (bench) => async (job) => {
  const { warmUpSeconds, seconds } = httpOf(job)
  const over = new AbortController()
  const interrupt = (): void => over.abort(bench.signal.reason)
  bench.signal.addEventListener('abort', interrupt)
  const limit = warmUpSeconds + seconds + patience
  const timer = setTimeout(() => over.abort(new Error(`${nameOf(job)} took more than ${limit} s`)), limit * 1_000)
  try {
    const run = await runLaps(job, bench, over)
    return { ...figuresOf(run, job), problems: await problemsOf(run, job) }
  } finally {
    clearTimeout(timer)
    bench.signal.removeEventListener('abort', interrupt)
    over.abort()
    for (const name of ['out.log', 'none.log']) rmSync(join(bench.folder, name), { force: true })
  }
}

function figuresOf({ subject, none }: EndedRun, job: Job): Omit<Run, 'problems'> {
  const { laps, served } = subject
  const recordsPerRequest = served.shape?.records ?? serviceOf(httpOf(job).service).recordsPerRequest
  const median = (of: (lap: Lap) => number): number => spread(laps.map(of)).median
  const requests = median(({ loaded }) => (loaded.answered - 1) / loaded.seconds)
  const cpuRequest = median(cpuOf)
  return {
    figures: {
      ...served.figures,
      requests,
      rows: requests * recordsPerRequest,
      latency50: median(({ loaded }) => loaded.latency50),
      latency99: median(({ loaded }) => loaded.latency99),
      cpuRequest,
      cpu: (cpuRequest * 1_000) / recordsPerRequest,
      busy: median(busyOf),
      ...(none !== undefined && above(subject, none)),
    },
    calibration: Math.max(...laps.map(({ served }) => served.calibration)),
  }
}

/** CPU time of a request, in µs. */
const cpuOf = ({ loaded, served }: Lap): number => served.cpuMicros / loaded.answered

/** The share of the time in which the event loop did not wait for the load. */
const busyOf = ({ loaded, served }: Lap): number => Math.min(1, served.activeMillis / (loaded.seconds * 1_000))

/** What logging costs: the median of the differences of laps that are next to each other. */
function above({ laps }: Ended, none: Ended): { readonly cpuNone: number; readonly cpuAbove: number } {
  const differences = laps.map((lap, index) => cpuOf(lap) - cpuOf(none.laps[index]!))
  return { cpuNone: spread(none.laps.map(cpuOf)).median, cpuAbove: spread(differences).median }
}

async function problemsOf({ subject, none }: EndedRun, job: Job): Promise<string[]> {
  return [...(await problemsOfServer(subject, job)), ...(none === undefined ? [] : problemsOfSilence(none))]
}

async function problemsOfServer(ended: Ended, job: Job): Promise<string[]> {
  const { connections, service } = httpOf(job)
  const { served, output } = ended
  const { shape, stats } = served
  const records = served.records ?? stats?.written
  const problems = [...problemsOfLoad(ended)]
  const { median: busy } = spread(ended.laps.map(busyOf))
  if (busy < leastBusy) problems.push(`the server waited for the load, it was busy ${busy.toFixed(2)}`)
  if (stats !== undefined && (stats.lost > 0 || stats.written !== records)) {
    problems.push(`its statistics have ${stats.written} written, ${stats.lost} lost, of ${records}`)
  }
  if (job.subject === 'none') return [...problems, ...problemsOfSilence(ended)]
  // The load stops after the warm-up and after each lap, and each time a request may be in progress on each connection.
  const due = { records, answered: answeredBy(ended), cutOff: (1 + ended.laps.length) * connections }
  return [...problems, ...checkLog(output, await subjects[job.subject](), serviceOf(service).createCheck(shape), due)]
}

function problemsOfSilence(ended: Ended): string[] {
  return [...problemsOfLoad(ended), ...(ended.output.length > 0 ? ['a line was written without logging'] : [])]
}

const problemsOfLoad = ({ warmUp, laps }: Ended): string[] =>
  [warmUp, ...laps.map(({ loaded }) => loaded)].flatMap(({ problems }) => problems)

const answeredBy = ({ warmUp, laps }: Ended): number =>
  laps.reduce((sum, { loaded }) => sum + loaded.answered, warmUp.answered)

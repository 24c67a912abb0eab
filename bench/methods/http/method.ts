import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { spread } from '../../report/statistics.ts'
import { subjects } from '../../subjects/index.ts'
import { nameOf, type Job, type Method, type Run } from '../method.ts'
import { checkLog } from './check-log.ts'
import { httpOf } from './http-of.ts'
import { runLaps, type ServerRun, type ServerRuns, type Lap } from './laps.ts'
import { serviceOf } from './services.ts'

/** A server with a lower busy share waited for the load, so its figures are invalid. */
const minBusy = 0.8
/** The maximum time of a run in addition to the load, in seconds. */
const extraSeconds = 60

/** A server and its load in separate processes. The standard output of the server is a file, which is checked at the end. */
export const http: Method = (bench) => async (job) => {
  const { warmUpSeconds, seconds } = httpOf(job)
  const controller = new AbortController()
  const interrupt = (): void => controller.abort(bench.signal.reason)
  bench.signal.addEventListener('abort', interrupt)
  const limit = warmUpSeconds + seconds + extraSeconds
  const timer = setTimeout(() => controller.abort(new Error(`${nameOf(job)} took more than ${limit} s`)), limit * 1_000)
  try {
    const run = await runLaps(job, bench, controller)
    return { ...figuresOf(run, job), problems: await problemsOf(run, job) }
  } finally {
    clearTimeout(timer)
    bench.signal.removeEventListener('abort', interrupt)
    controller.abort()
    for (const name of ['out.log', 'none.log']) rmSync(join(bench.folder, name), { force: true })
  }
}

function figuresOf({ subject, none }: ServerRuns, job: Job): Omit<Run, 'problems'> {
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

/** Returns the CPU time of a request, in µs. */
const cpuOf = ({ loaded, served }: Lap): number => served.cpuMicros / loaded.answered

/** The share of time in which the event loop was busy. */
const busyOf = ({ loaded, served }: Lap): number => Math.min(1, served.activeMillis / (loaded.seconds * 1_000))

/** The cost of logging: the median of the differences of adjacent laps. */
function above({ laps }: ServerRun, none: ServerRun): { readonly cpuNone: number; readonly cpuAbove: number } {
  const differences = laps.map((lap, index) => cpuOf(lap) - cpuOf(none.laps[index]!))
  return { cpuNone: spread(none.laps.map(cpuOf)).median, cpuAbove: spread(differences).median }
}

async function problemsOf({ subject, none }: ServerRuns, job: Job): Promise<string[]> {
  return [...(await problemsOfServer(subject, job)), ...(none === undefined ? [] : problemsOfSilence(none))]
}

async function problemsOfServer(ended: ServerRun, job: Job): Promise<string[]> {
  const { connections, service } = httpOf(job)
  const { served, output } = ended
  const { shape, stats } = served
  const records = served.records ?? stats?.written
  const problems = [...problemsOfLoad(ended)]
  const { median: busy } = spread(ended.laps.map(busyOf))
  if (busy < minBusy) problems.push(`the load was too low: the server was busy for ${busy.toFixed(2)} of the time`)
  if (stats !== undefined && (stats.lost > 0 || stats.written !== records)) {
    problems.push(`its statistics have ${stats.written} written and ${stats.lost} lost of ${records} records`)
  }
  if (job.subject === 'none') return [...problems, ...problemsOfSilence(ended)]
  // The load stops after the warm-up and after each lap, when a request can be in progress on each connection.
  const due = { records, answered: answeredBy(ended), cutOff: (1 + ended.laps.length) * connections }
  return [...problems, ...checkLog(output, await subjects[job.subject](), serviceOf(service).createCheck(shape), due)]
}

function problemsOfSilence(ended: ServerRun): string[] {
  return [...problemsOfLoad(ended), ...(ended.output.length > 0 ? ['a line was written without logging'] : [])]
}

const problemsOfLoad = ({ warmUp, laps }: ServerRun): string[] =>
  [warmUp, ...laps.map(({ loaded }) => loaded)].flatMap(({ problems }) => problems)

const answeredBy = ({ warmUp, laps }: ServerRun): number =>
  laps.reduce((sum, { loaded }) => sum + loaded.answered, warmUp.answered)

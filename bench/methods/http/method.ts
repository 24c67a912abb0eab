import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { subjects } from '../../subjects/index.ts'
import { nameOf, type Job, type Method, type Run } from '../method.ts'
import { checkLog } from './check-log.ts'
import { startChild, type Child } from './child.ts'
import { httpOf } from './http-of.ts'
import type { Begun, Listening, Loaded, LoadQuestion, Served, ServerQuestion } from './protocol.ts'
import { serviceOf } from './services.ts'

/** Below this share of the time the server was waiting for the load, which is then what was measured. */
const leastBusy = 0.8
/** What a run may take besides the load, in seconds. */
const patience = 60

interface Ended {
  readonly warmUp: Loaded
  readonly loaded: Loaded
  readonly served: Served
}

/** A server and its load, in a process each; the server's standard output is a file, which is judged when both have ended. */
export const http: Method = (bench) => async (job) => {
  const { warmUpSeconds, seconds } = httpOf(job)
  const path = join(bench.folder, 'out.log')
  const over = new AbortController()
  const interrupt = (): void => over.abort(bench.signal.reason)
  bench.signal.addEventListener('abort', interrupt)
  const limit = warmUpSeconds + seconds + patience
  const timer = setTimeout(() => over.abort(new Error(`${nameOf(job)} took more than ${limit} s`)), limit * 1_000)
  try {
    const ended = await start(job, path, over)
    return { ...concluded(ended, job), problems: await problemsOf(ended, job, readFileSync(path)) }
  } finally {
    clearTimeout(timer)
    bench.signal.removeEventListener('abort', interrupt)
    over.abort()
    rmSync(path, { force: true })
  }
}

async function start(job: Job, path: string, over: AbortController): Promise<Ended> {
  const { warmUpSeconds, seconds } = httpOf(job)
  const stdout = openSync(path, 'a')
  const server = startChild(new URL('process.ts', import.meta.url), job, stdout, over)
  const load = startChild(new URL('load.ts', import.meta.url), job, 'ignore', over)
  closeSync(stdout)
  const { port } = await askServer<Listening>(server, { ask: 'listen' })
  const warmUp = await askLoad(load, { port, seconds: warmUpSeconds, requests: undefined, verify: true })
  await askServer<Begun>(server, { ask: 'begin' })
  const loaded = await askLoad(load, { port, seconds, requests: requestsOf(job), verify: false })
  const served = await askServer<Served>(server, { ask: 'end' })
  await Promise.all([server.stop(), load.stop()])
  return { warmUp, loaded, served }
}

const askServer = <Answer extends object>(server: Child, question: ServerQuestion): Promise<Answer> =>
  server.ask<Answer>(question)

const askLoad = (load: Child, question: LoadQuestion): Promise<Loaded> => load.ask<Loaded>(question)

/** As many as make the records that the command line asks for, and at least one a connection; undefined without. */
function requestsOf(job: Job): number | undefined {
  const { connections, service } = httpOf(job)
  if (job.records === undefined) return undefined
  return Math.max(connections, Math.ceil(job.records / serviceOf(service).recordsPerRequest))
}

function concluded({ loaded, served }: Ended, job: Job): Omit<Run, 'problems'> {
  const { answered, seconds, latency50, latency99 } = loaded
  const { recordsPerRequest } = serviceOf(httpOf(job).service)
  const requests = (answered - 1) / seconds
  const cpuRequest = served.cpuMicros / answered
  return {
    figures: {
      ...served.figures,
      requests,
      rows: requests * recordsPerRequest,
      latency50,
      latency99,
      cpuRequest,
      cpu: (cpuRequest * 1_000) / recordsPerRequest,
    },
    calibration: served.calibration,
  }
}

async function problemsOf({ warmUp, loaded, served }: Ended, job: Job, bytes: Buffer): Promise<string[]> {
  const { connections, service } = httpOf(job)
  const { records, ledger, figures } = served
  const problems = [...warmUp.problems, ...loaded.problems]
  if (figures.busy! < leastBusy)
    problems.push(`the server waited for the load, it was busy ${figures.busy!.toFixed(2)}`)
  if (ledger !== undefined && (ledger.lost > 0 || ledger.written !== records)) {
    problems.push(`its ledger says ${ledger.written} written, ${ledger.lost} lost, of ${records}`)
  }
  if (job.subject === 'none') return bytes.length > 0 ? [...problems, 'a line was written without logging'] : problems
  // The load stops twice, and each time a request may be under way on each connection.
  const due = { records, answered: warmUp.answered + loaded.answered, cutOff: 2 * connections }
  return [...problems, ...checkLog(bytes, await subjects[job.subject](), serviceOf(service).createCheck(), due)]
}

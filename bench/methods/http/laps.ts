import { openSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Job } from '../method.ts'
import { startChild, type Child } from './child.ts'
import { httpOf } from './http-of.ts'
import type {
  BeginReply,
  ListenReply,
  LoadResult,
  LoadCommand,
  ServerResult,
  ServerLap,
  ServerCommand,
} from './protocol.ts'
import { serviceOf } from './services.ts'

/** The measurements of the load and the server in one lap. */
export interface Lap {
  readonly loaded: LoadResult
  readonly served: ServerLap
}

/** A server with its measurements and its log file. */
export interface ServerRun {
  readonly warmUp: LoadResult
  readonly laps: readonly Lap[]
  readonly served: ServerResult
  readonly output: Buffer
}

/** The server of the subject, and in some variants the same server without logging, with alternating laps. */
export interface ServerRuns {
  readonly subject: ServerRun
  readonly none: ServerRun | undefined
}

interface Server {
  readonly child: Child
  readonly port: number
  readonly path: string
  readonly warmUp: LoadResult
  readonly laps: Lap[]
}

/** Starts the servers and the load in separate processes, and runs the laps. The standard output of a server is a file. */
export async function runLaps(job: Job, { folder }: Bench, abort: AbortController): Promise<ServerRuns> {
  const { warmUpSeconds, seconds, pairs } = httpOf(job)
  const load = startChild(new URL('load.ts', import.meta.url), job, 'ignore', abort)
  const run = (command: LoadCommand): Promise<LoadResult> => load.send<LoadResult>(command)

  async function start(subject: Job['subject'], path: string): Promise<Server> {
    const stdout = openSync(path, 'a')
    const child = startChild(new URL('process.ts', import.meta.url), { ...job, subject }, stdout, abort)
    closeSync(stdout)
    const { port } = await child.send<ListenReply>({ command: 'listen' } satisfies ServerCommand)
    const warmUp = await run({ port, seconds: warmUpSeconds, requests: undefined, verify: true })
    return { child, port, path, warmUp, laps: [] }
  }

  async function lap({ child, port, laps }: Server): Promise<void> {
    await child.send<BeginReply>({ command: 'begin' } satisfies ServerCommand)
    const requests = pairs === undefined ? requestsOf(job) : pairs.requests
    const loaded = await run({ port, seconds, requests, verify: false })
    laps.push({ loaded, served: await child.send<ServerLap>({ command: 'lap' } satisfies ServerCommand) })
  }

  const subject = await start(job.subject, join(folder, 'out.log'))
  const none = pairs === undefined ? undefined : await start('none', join(folder, 'none.log'))
  for (let round = 0; round < (pairs?.count ?? 1); round++) {
    const inTurn = none === undefined ? [subject] : round % 2 === 0 ? [none, subject] : [subject, none]
    for (const server of inTurn) await lap(server)
  }
  const ended = { subject: await end(subject), none: none && (await end(none)) }
  await load.stop()
  return ended
}

/** Returns the number of requests for the records of the command line, at least one for each connection, or undefined. */
function requestsOf(job: Job): number | undefined {
  const { connections, service } = httpOf(job)
  if (job.records === undefined) return undefined
  return Math.max(connections, Math.ceil(job.records / serviceOf(service).recordsPerRequest))
}

async function end({ child, path, warmUp, laps }: Server): Promise<ServerRun> {
  const served = await child.send<ServerResult>({ command: 'end' } satisfies ServerCommand)
  await child.stop()
  return { warmUp, laps, served, output: readFileSync(path) }
}

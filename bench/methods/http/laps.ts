import { openSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Job } from '../method.ts'
import { startChild, type Child } from './child.ts'
import { httpOf } from './http-of.ts'
import type { Begun, Listening, Loaded, LoadQuestion, Served, ServedLap, ServerQuestion } from './protocol.ts'
import { serviceOf } from './services.ts'

/** One lap of the load: what the load and the server measured. */
export interface Lap {
  readonly loaded: Loaded
  readonly served: ServedLap
}

/** A server with what it measured and wrote. */
export interface Ended {
  readonly warmUp: Loaded
  readonly laps: readonly Lap[]
  readonly served: Served
  readonly output: Buffer
}

/** The server of the subject; and where the variant wants it, the same server without logging, whose laps are between those. */
export interface EndedRun {
  readonly subject: Ended
  readonly none: Ended | undefined
}

interface Server {
  readonly child: Child
  readonly port: number
  readonly path: string
  readonly warmUp: Loaded
  readonly laps: Lap[]
}

/** Starts the servers and the load, a process each, and runs the laps. The standard output of a server is a file. */
export async function runLaps(job: Job, { folder }: Bench, over: AbortController): Promise<EndedRun> {
  const { warmUpSeconds, seconds, pairs } = httpOf(job)
  const load = startChild(new URL('load.ts', import.meta.url), job, 'ignore', over)
  const ask = (question: LoadQuestion): Promise<Loaded> => load.ask<Loaded>(question)

  async function start(subject: Job['subject'], path: string): Promise<Server> {
    const stdout = openSync(path, 'a')
    const child = startChild(new URL('process.ts', import.meta.url), { ...job, subject }, stdout, over)
    closeSync(stdout)
    const { port } = await child.ask<Listening>({ ask: 'listen' } satisfies ServerQuestion)
    const warmUp = await ask({ port, seconds: warmUpSeconds, requests: undefined, verify: true })
    return { child, port, path, warmUp, laps: [] }
  }

  async function lap({ child, port, laps }: Server): Promise<void> {
    await child.ask<Begun>({ ask: 'begin' } satisfies ServerQuestion)
    const requests = pairs === undefined ? requestsOf(job) : pairs.requests
    const loaded = await ask({ port, seconds, requests, verify: false })
    laps.push({ loaded, served: await child.ask<ServedLap>({ ask: 'lap' } satisfies ServerQuestion) })
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

/** As many as yield the records of the command line, and at least one for each connection; undefined without. */
function requestsOf(job: Job): number | undefined {
  const { connections, service } = httpOf(job)
  if (job.records === undefined) return undefined
  return Math.max(connections, Math.ceil(job.records / serviceOf(service).recordsPerRequest))
}

async function end({ child, path, warmUp, laps }: Server): Promise<Ended> {
  const served = await child.ask<Served>({ ask: 'end' } satisfies ServerQuestion)
  await child.stop()
  return { warmUp, laps, served, output: readFileSync(path) }
}

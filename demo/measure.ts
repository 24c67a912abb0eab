import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Child } from './child.ts'
import type { Stats } from './delivery.ts'
import { plan } from './plan.ts'
import type { Progress } from './progress.ts'
import type { Address, ClientRequest, Usage, FinalStats, Prepared, Sent, ServerRequest } from './protocol.ts'

export const modes = ['none', 'console', 'pino', 'sluice'] as const
export type Mode = (typeof modes)[number]

export interface Measured {
  readonly mode: Mode
  /** Where the server logged to; the file stays empty without logging. */
  readonly file: string
  /** Requests per second, of each round. */
  readonly rates: readonly number[]
  /** Per row of the timed rounds, in nanoseconds. */
  readonly cpuNanos: number
  readonly handlerNanos: number
  readonly stats: Stats | undefined
}

export interface Measurement {
  readonly servers: readonly Measured[]
  readonly bytesSent: number
}

interface Server {
  readonly mode: Mode
  readonly file: string
  readonly process: Child<ServerRequest>
  readonly port: number
  readonly rates: number[]
}

/** The same uploads to each server in turn, round after round: what disturbs the machine for a while disturbs them all. */
export async function measure(folder: string, progress: Progress, signal: AbortSignal): Promise<Measurement> {
  const client = startChild<ClientRequest>(new URL('client.ts', import.meta.url), [], {
    signal,
    onProgress: (done) => progress.at(done),
  })
  const servers = await Promise.all(modes.map((mode) => startServer(mode, folder, signal)))

  let bytesSent = await runRound(client, servers, 0, plan.warmUp, 'warming up', progress)
  const before = await usages(servers)
  for (const server of servers) server.rates.length = 0
  for (let round = 0; round < plan.rounds; round++) {
    // Each server is the first in some round.
    const turn = servers.map((_, i) => servers[(i + round) % servers.length]!)
    const from = plan.warmUp + round * plan.requestsPerRound
    const title = `round ${round + 1} of ${plan.rounds}`
    bytesSent += await runRound(client, turn, from, plan.requestsPerRound, title, progress)
  }
  const after = await usages(servers)

  const measured = servers.map(async (server, i) => conclude(server, before[i]!, after[i]!))
  await client.stop()
  return { servers: await Promise.all(measured), bytesSent }
}

async function startServer(mode: Mode, folder: string, signal: AbortSignal): Promise<Server> {
  const file = join(folder, `${mode}.log`)
  const stdout = openSync(file, 'a')
  const process = startChild<ServerRequest>(new URL('server.ts', import.meta.url), [mode, file], { signal, stdout })
  closeSync(stdout)
  const { port } = await process.request<Address>({ type: 'address' })
  return { mode, file, process, port, rates: [] }
}

async function runRound(
  client: Child<ClientRequest>,
  servers: readonly Server[],
  from: number,
  count: number,
  title: string,
  progress: Progress,
): Promise<number> {
  progress.phase(`${title}: making ${count} uploads`, count)
  const { bytes } = await client.request<Prepared>({ type: 'prepare', from, count, rows: plan.rows })
  for (const { mode, port, rates } of servers) {
    progress.phase(`${title}: ${labels[mode]}`, count)
    const { requests, seconds } = await client.request<Sent>({ type: 'send', port, inFlight: plan.inFlight })
    rates.push(requests / seconds)
  }
  return bytes
}

export const labels: Readonly<Record<Mode, string>> = {
  none: 'no logging',
  console: 'console.log',
  pino: 'pino',
  sluice: 'sluice',
}

const usages = (servers: readonly Server[]): Promise<readonly Usage[]> =>
  Promise.all(servers.map(({ process }) => process.request<Usage>({ type: 'usage' })))

async function conclude({ mode, file, process, rates }: Server, before: Usage, after: Usage): Promise<Measured> {
  const { stats } = await process.request<FinalStats>({ type: 'close' })
  await process.stop()
  const perRow = (millis: number): number => (millis * 1e6) / (after.rows - before.rows)
  return {
    mode,
    file,
    rates,
    cpuNanos: perRow(after.cpuMillis - before.cpuMillis),
    handlerNanos: perRow(after.handlerMillis - before.handlerMillis),
    stats,
  }
}

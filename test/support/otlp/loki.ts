// cspell:ignore lifecycler
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled } from '../../../scripts/real-parts/install.ts'
import { loki } from '../../../scripts/real-parts/loki.ts'
import { folderOf } from '../../../scripts/real-parts/part.ts'
import { freePorts } from '../processes/ports.ts'
import { startProgram, type RunningProgram } from '../processes/start-program.ts'
import { waitUntil } from '../wait-until.ts'

/** Whether {@link startLoki} can be used, for `needs()`. */
export const hasLoki: boolean = isInstalled(loki)

/** A real Loki on the loopback interface. */
export interface Loki {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string
  /** Returns the entries of the last hour that match a LogQL query, oldest first, at most 5,000. */
  query(logql: string): Promise<LokiEntry[]>
  stop(): Promise<void>
}

export interface LokiEntry {
  /** Ns since the Unix epoch. */
  readonly time: string
  readonly line: string
  /** The labels of its stream. */
  readonly labels: Readonly<Record<string, string>>
  readonly structuredMetadata: Readonly<Record<string, string>>
}

const TRIES = 3
const READY_MILLIS = 60_000

/** Starts Loki with its data in `directory` and default limits, and waits until it accepts requests. */
export async function startLoki(directory: string): Promise<Loki> {
  mkdirSync(directory, { recursive: true })
  const configuration = join(directory, 'loki.yaml')
  for (let tries = 1; ; tries++) {
    const [http, grpc] = (await freePorts(2)) as [number, number]
    // JSON is also YAML.
    writeFileSync(configuration, JSON.stringify(configurationOf(directory, http, grpc)))
    try {
      const program = await startProgram({
        command: join(folderOf(loki), loki.mainFile),
        args: [`-config.file=${configuration}`],
        ready: /Loki started/,
      })
      return await readyLoki(program, `http://127.0.0.1:${http}`)
    } catch (error) {
      if (tries === TRIES || !String(error).includes('address already in use')) throw error
    }
  }
}

async function readyLoki(program: RunningProgram, url: string): Promise<Loki> {
  await waitUntil(async () => (await fetch(`${url}/ready`)).ok, READY_MILLIS)
  return { url, query: (logql) => query(url, logql), stop: () => program.stop() }
}

interface Answer {
  readonly data: {
    readonly result: readonly {
      readonly stream: Readonly<Record<string, string>>
      readonly values: readonly (readonly [
        time: string,
        line: string,
        more: { structuredMetadata?: Readonly<Record<string, string>> },
      ])[]
    }[]
  }
}

async function query(url: string, logql: string): Promise<LokiEntry[]> {
  const parameters = new URLSearchParams({ query: logql, limit: '5000', direction: 'forward' })
  // Without it labels and structured metadata are merged.
  const headers = { 'X-Loki-Response-Encoding-Flags': 'categorize-labels' }
  const response = await fetch(`${url}/loki/api/v1/query_range?${parameters.toString()}`, { headers })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const { data } = (await response.json()) as Answer
  const entries = data.result.flatMap(({ stream, values }) =>
    values.map(([time, line, { structuredMetadata = {} }]) => ({ time, line, labels: stream, structuredMetadata })),
  )
  return entries.toSorted((a, b) => Number(BigInt(a.time) - BigInt(b.time)))
}

function configurationOf(directory: string, http: number, grpc: number): object {
  const loopback = '127.0.0.1'
  const filesystem = { chunks_directory: join(directory, 'chunks'), rules_directory: join(directory, 'rules') }
  return {
    auth_enabled: false,
    analytics: { reporting_enabled: false },
    server: {
      http_listen_address: loopback,
      http_listen_port: http,
      grpc_listen_address: loopback,
      grpc_listen_port: grpc,
    },
    common: {
      instance_addr: loopback,
      path_prefix: directory,
      storage: { filesystem },
      replication_factor: 1,
      ring: { kvstore: { store: 'inmemory' } },
    },
    ingester: { lifecycler: { min_ready_duration: '0s', final_sleep: '0s' } },
    schema_config: {
      configs: [
        {
          from: '2024-01-01',
          store: 'tsdb',
          object_store: 'filesystem',
          schema: 'v13',
          index: { prefix: 'index_', period: '24h' },
        },
      ],
    },
  }
}

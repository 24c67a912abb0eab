import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isThere } from '../../../scripts/real-parts/install.ts'
import { otelcol } from '../../../scripts/real-parts/otelcol.ts'
import { folderOf } from '../../../scripts/real-parts/part.ts'
import { type OtlpRecord, type OtlpRequest, recordsOf } from './records.ts'
import { freePorts } from '../processes/ports.ts'
import { start, type Started } from '../processes/started.ts'

/** What stands for {@link startCollector} in `needs()`. */
export const collectorIsThere: boolean = isThere(otelcol)

/** A real OpenTelemetry Collector on the loopback interface. */
export interface Collector {
  /** `http://127.0.0.1:<port>`, without a path; stays the same when it is started again. */
  readonly httpUrl: string
  /** `127.0.0.1:<port>`. */
  readonly grpcAddress: string
  /** Every log record in its output file, in the file's order. A line that a SIGKILL cut off is left out. */
  records(): OtlpRecord[]
  /** The same, once there are at least so many; rejects after 30 s. */
  atLeast(count: number): Promise<OtlpRecord[]>
  /** What it said to its own log. */
  said(): string
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it again, stopped before or not, with the same ports, configuration and files. */
  restart(): Promise<void>
  /** Ends it in the orderly way: what it has taken is in its file then. Rejects when it ended in another one. */
  stop(): Promise<void>
}

export interface CollectorPlan {
  /** A file of docs/examples/collector/. Default `to-file.yaml`. */
  readonly file?: string
  /**
   * What a test wants to be different: merged into the file's settings, objects member by member, lists as a whole.
   * A queue that is soon full: `{ exporters: { 'otlp_http/next': { endpoint, sending_queue: { queue_size: 1 } } }, … }`.
   */
  readonly config?: object
  /** Variables that the file asks for, beside `OTLP_HTTP`, `OTLP_GRPC`, `OUTPUT` and `QUEUE`. */
  readonly env?: Readonly<Record<string, string>>
}

const examples = join(import.meta.dirname, '../../../docs/examples/collector')
const TRIES = 3
const ARRIVAL_MILLIS = 30_000

/** Starts a Collector whose files are in `directory`, which is made where it is missing, and waits until it takes requests. */
export async function startCollector(directory: string, plan: CollectorPlan = {}): Promise<Collector> {
  mkdirSync(directory, { recursive: true })
  const output = join(directory, 'logs.jsonl')
  const args = ['--config', join(examples, plan.file ?? 'to-file.yaml')]
  // JSON is YAML as well.
  if (plan.config) args.push('--config', `yaml:${JSON.stringify(plan.config)}`)
  let ports: number[] = []

  async function run(): Promise<Started> {
    const [http, grpc] = ports.map((port) => `127.0.0.1:${port}`)
    return start({
      command: join(folderOf(otelcol), otelcol.mainFile),
      args,
      cwd: directory,
      env: { OTLP_HTTP: http!, OTLP_GRPC: grpc!, OUTPUT: output, QUEUE: join(directory, 'queue'), ...plan.env },
      ready: /Everything is ready/,
      listensLate: true,
    })
  }

  async function runOnFreePorts(): Promise<Started> {
    for (let tries = 1; ; tries++) {
      ports = await freePorts(2)
      try {
        return await run()
      } catch (error) {
        if (tries === TRIES || !String(error).includes('address already in use')) throw error
      }
    }
  }

  function records(): OtlpRecord[] {
    // The last piece is no line: the file's end, or what is being written.
    const lines = existsSync(output) ? readFileSync(output, 'utf8').split('\n').slice(0, -1) : []
    return lines.flatMap((line) => recordsOf(requestOf(line, wasKilled)))
  }

  async function stop(): Promise<void> {
    if (isDown) return
    isDown = true
    await program.stop()
    const end = await program.ended
    if (end !== 0) throw new Error(`the Collector ended with ${end}:\n${program.said()}`)
  }

  let wasKilled = false
  let isDown = false
  let program = await runOnFreePorts()
  return {
    httpUrl: `http://127.0.0.1:${ports[0]}`,
    grpcAddress: `127.0.0.1:${ports[1]}`,
    records,
    async atLeast(count) {
      for (const deadline = performance.now() + ARRIVAL_MILLIS; ; await sleep(20)) {
        const found = records()
        if (found.length >= count) return found
        if (performance.now() > deadline) throw new Error(`${found.length} of ${count} arrived:\n${program.said()}`)
      }
    },
    said: () => program.said(),
    async kill(signal) {
      wasKilled ||= signal === 'SIGKILL'
      isDown = true
      await program.kill(signal)
    },
    async restart() {
      await stop()
      program = await run()
      isDown = false
    },
    stop,
  }
}

/** The request of a line. The next line goes on where a SIGKILL cut one, so such a line holds nothing that can be read. */
function requestOf(line: string, mayBeTorn: boolean): OtlpRequest {
  try {
    return JSON.parse(line) as OtlpRequest
  } catch (error) {
    if (mayBeTorn) return {}
    throw error
  }
}

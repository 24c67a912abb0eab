import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isInstalled } from '../../../scripts/real-parts/install.ts'
import { otelcol } from '../../../scripts/real-parts/otelcol.ts'
import { folderOf } from '../../../scripts/real-parts/part.ts'
import { type OtlpRecord, type OtlpRequest, recordsOf } from './records.ts'
import { freePorts } from '../processes/ports.ts'
import { startProgram, type RunningProgram } from '../processes/start-program.ts'

/** Whether {@link startCollector} can be used, for `needs()`. */
export const hasCollector: boolean = isInstalled(otelcol)

/** A real OpenTelemetry Collector on the loopback interface. */
export interface Collector {
  /** `http://127.0.0.1:<port>`, without a path. It stays the same after a restart. */
  readonly httpUrl: string
  /** `127.0.0.1:<port>`. */
  readonly grpcAddress: string
  /** Returns every log record in its output file, in order. A line that a SIGKILL truncated is omitted. */
  records(): OtlpRecord[]
  /** Waits for at least so many records. Rejects after 30 s. */
  atLeast(count: number): Promise<OtlpRecord[]>
  /** Returns its own log. */
  output(): string
  /** Sends a signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Restarts it with the same ports, configuration and files. */
  restart(): Promise<void>
  /** Shuts it down, so that all accepted records are in its file. Rejects if it exits with an error. */
  stop(): Promise<void>
}

export interface CollectorOptions {
  /** A file of docs/examples/collector/. Default `to-file.yaml`. */
  readonly file?: string
  /**
   * Settings that are merged into the file: objects member by member, lists as a whole. A queue that fills quickly:
   * `{ exporters: { 'otlp_http/next': { endpoint, sending_queue: { queue_size: 1 } } }, … }`.
   */
  readonly config?: object
  /** Environment variables for the file, in addition to `OTLP_HTTP`, `OTLP_GRPC`, `OUTPUT` and `QUEUE`. */
  readonly env?: Readonly<Record<string, string>>
}

const examples = join(import.meta.dirname, '../../../docs/examples/collector')
const TRIES = 3
const ARRIVAL_MILLIS = 30_000

/** Starts a Collector with its files in `directory`, which is created if it is missing, and waits until it accepts requests. */
export async function startCollector(directory: string, plan: CollectorOptions = {}): Promise<Collector> {
  mkdirSync(directory, { recursive: true })
  const output = join(directory, 'logs.jsonl')
  const args = ['--config', join(examples, plan.file ?? 'to-file.yaml')]
  // JSON is also YAML.
  if (plan.config) args.push('--config', `yaml:${JSON.stringify(plan.config)}`)
  let ports: number[] = []

  async function run(): Promise<RunningProgram> {
    const [http, grpc] = ports.map((port) => `127.0.0.1:${port}`)
    return startProgram({
      command: join(folderOf(otelcol), otelcol.mainFile),
      args,
      cwd: directory,
      env: { OTLP_HTTP: http!, OTLP_GRPC: grpc!, OUTPUT: output, QUEUE: join(directory, 'queue'), ...plan.env },
      ready: /Everything is ready/,
      handlesSignalsLate: true,
    })
  }

  async function runOnFreePorts(): Promise<RunningProgram> {
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
    // The last part is empty or an incomplete line.
    const lines = existsSync(output) ? readFileSync(output, 'utf8').split('\n').slice(0, -1) : []
    return lines.flatMap((line) => recordsOf(requestOf(line, wasKilled)))
  }

  async function stop(): Promise<void> {
    if (isDown) return
    isDown = true
    await program.stop()
    const end = await program.ended
    if (end !== 0) throw new Error(`the Collector exited with ${end}:\n${program.output()}`)
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
        if (performance.now() > deadline) throw new Error(`${found.length} of ${count} arrived:\n${program.output()}`)
      }
    },
    output: () => program.output(),
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

/** Parses a line. After a SIGKILL the next line continues a truncated one, so such a line cannot be parsed. */
function requestOf(line: string, mayBeTorn: boolean): OtlpRequest {
  try {
    return JSON.parse(line) as OtlpRequest
  } catch (error) {
    if (mayBeTorn) return {}
    throw error
  }
}

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { needs } from '../../support/needs.ts'
import { waitUntil } from '../../support/wait-until.ts'

const program = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))
/** The folder of programs that tests start. */
export const apps: string = fileURLToPath(new URL('apps', import.meta.url))

export const withBuild: ReturnType<typeof needs> = needs('a build (npm run build)', existsSync(program))

/** A record as the telemetry API returns it. */
export interface FoundRecord {
  readonly level: string
  readonly message: string
  readonly attributes: ReadonlyMap<string, unknown>
  readonly resource: ReadonlyMap<string, unknown>
}

interface OtlpAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface TelemetryAnswer {
  readonly totalCount: number
  readonly data: {
    readonly resourceLogs: readonly {
      readonly resource?: { readonly attributes?: readonly OtlpAttribute[] }
      readonly scopeLogs: readonly {
        readonly logRecords: readonly {
          readonly severityNumber?: number
          readonly body?: { readonly stringValue?: string }
          readonly attributes?: readonly OtlpAttribute[]
        }[]
      }[]
    }[]
  }
}

/** `sluice ui` of the build, on a free port. */
export class StartedViewer {
  readonly child: ChildProcessWithoutNullStreams
  readonly exitCode: Promise<number | null>
  stderr = ''

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string) {
    this.child = spawn(process.execPath, [program, 'ui', '--port', '0', ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, SLUICE_UI_TOKEN: undefined, ...env },
      timeout: 60_000,
      killSignal: 'SIGKILL',
    })
    this.child.stdin.on('error', () => {})
    this.child.stderr.setEncoding('utf8').on('data', (part: string) => (this.stderr += part))
    this.exitCode = new Promise((resolve) => {
      this.child.once('close', resolve)
    })
  }

  /** Waits until standard error contains a text. */
  async untilReported(part: string): Promise<void> {
    await waitUntil(() => this.stderr.includes(part))
  }

  /** Returns the address of the page. */
  async url(): Promise<string> {
    await waitUntil(() => /open http:\S+\n/.test(this.stderr))
    return /open (http:\S+)\n/.exec(this.stderr)![1]!
  }

  /** Returns the newest records. */
  async records(): Promise<readonly FoundRecord[]> {
    const { data } = await this.answer()
    return data.resourceLogs.flatMap(({ resource, scopeLogs }) =>
      scopeLogs.flatMap(({ logRecords }) =>
        logRecords.map(({ severityNumber = 0, body, attributes }) => ({
          level: ['', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'][(severityNumber + 3) >> 2]!,
          message: body?.stringValue ?? '',
          attributes: mapOf(attributes),
          resource: mapOf(resource?.attributes),
        })),
      ),
    )
  }

  /** Returns the number of records. */
  async count(): Promise<number> {
    return (await this.answer(1)).totalCount
  }

  /** Waits until there is a number of records, and returns them. */
  async untilRecords(count: number): Promise<readonly FoundRecord[]> {
    await waitUntil(async () => (await this.count()) >= count)
    return this.records()
  }

  /** Opens a page, whose connection stays open until the function that is returned is called. */
  async openPage(onState: (state: { duplicates: number }) => void = () => {}): Promise<() => void> {
    const request = get(`${await this.url()}/api/live`)
    let received = ''
    request.on('response', (response) => {
      response.setEncoding('utf8').on('data', (part: string) => {
        received += part
        for (const [, state] of received.matchAll(/event: state\ndata: (.*)\n\n/g))
          onState(JSON.parse(state!) as { duplicates: number })
        received = received.slice(received.lastIndexOf('\n\n') + 2)
      })
    })
    request.on('error', () => {})
    await new Promise((resolve) => {
      request.once('response', resolve)
    })
    return () => void request.destroy()
  }

  private async answer(limit = 1_000): Promise<TelemetryAnswer> {
    const response = await fetch(`${await this.url()}/api/telemetry/logs?limit=${limit}`)
    return (await response.json()) as TelemetryAnswer
  }
}

/** Runs `sluice ui` until it ends. */
export async function runViewer(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const viewer = new StartedViewer(args, env)
  const stdout = await text(viewer.child.stdout)
  return { code: await viewer.exitCode, stdout, stderr: viewer.stderr }
}

function mapOf(attributes: readonly OtlpAttribute[] = []): ReadonlyMap<string, unknown> {
  return new Map(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

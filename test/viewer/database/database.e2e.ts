import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'
import { requestOf } from '../support.ts'
import { inDirectory, TestViewer } from './support.ts'

const program = join(import.meta.dirname, 'viewer-process.ts')

interface Viewer {
  readonly process: ChildProcess
  readonly url: string
}

async function startViewer(file: string, shell = '', lines = ''): Promise<Viewer> {
  const child = spawn('bash', ['-c', `${shell} exec "$0" "$@"`, process.execPath, program, file, lines], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, url: `http://127.0.0.1:${port.toString().trim()}` }
}

/** Sends numbered spans until the viewer does not answer. Adds those that were acknowledged. */
async function sendSpans({ url }: Viewer, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    const traceId = String(acknowledged.size + 1).padStart(32, '0')
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId, spanId: '1'.repeat(16) }] }] }] })
    if ((await post(url, Buffer.from(body), 'traces', 'application/json')) !== 200) return
    acknowledged.add(traceId)
  }
}

/** Sends numbered records, and remembers which ones were acknowledged. */
class Sender {
  readonly acknowledged = new Set<number>()
  readonly refused = new Set<number>()
  private next = 0

  /** Sends requests until the viewer does not answer. */
  async sendTo({ url }: Viewer, bytes = 100): Promise<void> {
    for (;;) {
      const numbers = Array.from({ length: 1 + (this.next % 50) }, () => this.next++)
      const body = requestOf(numbers.map((number) => ({ time: 1, body: `${number} ${'x'.repeat(bytes)}` })))
      const status = await post(url, body)
      if (status === undefined) return
      for (const number of numbers) (status === 200 ? this.acknowledged : this.refused).add(number)
      if (status === 503) return
    }
  }
}

async function post(
  url: string,
  body: Buffer,
  signal = 'logs',
  type = 'application/x-protobuf',
): Promise<number | undefined> {
  try {
    const headers = { 'content-type': type }
    const response = await fetch(`${url}/v1/${signal}`, { method: 'POST', headers, body: new Uint8Array(body) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

interface Saved {
  readonly numbers: readonly number[]
  /** The numbers of the lines by the process that had added them, in the order in which they were saved. */
  readonly lines: ReadonlyMap<string, readonly number[]>
  readonly traces: ReadonlySet<string>
}

async function savedIn(file: string): Promise<Saved> {
  const viewer = new TestViewer(file, { maxBytes: 256_000_000 })
  const numbers: number[] = []
  const lines = new Map<string, number[]>()
  for (const message of (await viewer.older({}, true)).toReversed()) {
    const [kind, process = '', number] = (message ?? '').split(' ')
    if (kind === 'line') lines.set(process, [...(lines.get(process) ?? []), Number(number)])
    else numbers.push(Number(kind))
  }
  const traces = new Set(viewer.archive.database.newestSpans(1e6).map(({ traceId }) => traceId))
  viewer.archive.close()
  return { numbers: numbers.toSorted((a, b) => a - b), lines, traces }
}

async function savedNumbers(file: string): Promise<readonly number[]> {
  return (await savedIn(file)).numbers
}

describe('a viewer with a database', () => {
  it('has every record and span that it acknowledged, and the lines before those of the last moment, after it was killed at any time', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const sender = new Sender()
      const spans = new Set<string>()
      let linesFound = 0
      for (const delay of fc.sample(fc.integer({ min: 20, max: 420 }), { seed, numRuns: 5 * runs })) {
        const viewer = await startViewer(file, '', 'lines')
        const sending = Promise.all([sender.sendTo(viewer), sender.sendTo(viewer), sendSpans(viewer, spans)])
        await sleep(delay)
        viewer.process.kill('SIGKILL')
        await Promise.all([sending, once(viewer.process, 'exit')])
        const saved = await savedIn(file)
        const present = new Set(saved.numbers)
        expect(present.size).toBe(saved.numbers.length)
        expect([...sender.acknowledged].filter((number) => !present.has(number))).toEqual([])
        expect([...spans].filter((span) => !saved.traces.has(span))).toEqual([])
        for (const lines of saved.lines.values()) expect(lines).toEqual(lines.map((_, index) => index))
        linesFound = saved.lines.size
      }
      expect(linesFound).toBeGreaterThan(0)
      expect(spans.size).toBeGreaterThan(10)
      expect(sender.acknowledged.size).toBeGreaterThan(100)
    })
  })

  it('answers 503 on a full disk, keeps nothing of the request, and has all others', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const sender = new Sender()
      // A file that would be larger cannot be written.
      const viewer = await startViewer(file, "trap '' XFSZ; ulimit -f 2000;")
      await sender.sendTo(viewer, 2_000)
      const telemetry = (await (await fetch(`${viewer.url}/api/telemetry/logs?limit=1`)).json()) as {
        totalCount: number
      }
      expect(telemetry.totalCount).toBe(sender.acknowledged.size)
      expect(await stateOf(viewer)).toMatchObject({ size: sender.acknowledged.size, refused: 1, unsaved: 0 })
      viewer.process.kill('SIGTERM')
      await once(viewer.process, 'exit')
      expect(await savedNumbers(file)).toEqual([...sender.acknowledged])
      expect(sender.refused.size).toBeGreaterThan(0)
      expect(sender.acknowledged.size).toBeGreaterThan(100)
    })
  })

  it('saves what was received before it was stopped', async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'a.db')
      const viewer = await startViewer(file)
      expect(await post(viewer.url, requestOf([{ body: '1' }]))).toBe(200)
      viewer.process.kill('SIGTERM')
      await once(viewer.process, 'exit')
      expect(await savedNumbers(file)).toEqual([1])
    })
  })
})

/** Returns the state of the database as the page receives it. */
async function stateOf({ url }: Viewer): Promise<object> {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/live`, { signal: abort.signal })
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    if (text.includes('event: state')) break
  }
  abort.abort()
  return (JSON.parse(/event: state\ndata: (.*)/.exec(text)![1]!) as { database: object }).database
}

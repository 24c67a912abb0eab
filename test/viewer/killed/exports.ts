import { expect } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { waitUntil } from '../../support/wait-until.ts'
import type { StartedViewer } from '../inputs/started-viewer.ts'

const app = join(import.meta.dirname, 'exporting-app.ts')
const maxRecords = 6
const length = 10_000

/** The numbers of batches that an app has exported. */
export interface Exports {
  readonly exporting: readonly number[]
  readonly acknowledged: readonly number[]
}

/** An app that exports records to a viewer. */
export class ExportingApp {
  private readonly name: string
  private readonly child: ChildProcess
  private output = ''

  constructor(url: string, name: string) {
    this.name = name
    const args = [app, url, name, String(maxRecords), String(length)]
    this.child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.child.stdout!.setEncoding('utf8').on('data', (part: string) => (this.output += part))
  }

  async untilAcknowledged(): Promise<void> {
    await waitUntil(() => this.output.includes('acknowledged'))
  }

  async kill(): Promise<Exports> {
    const closed = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await closed
    const numbers = (kind: string): number[] =>
      [...this.output.matchAll(new RegExp(`^${kind} (\\d+)$`, 'gm'))].map(([, number]) => Number(number))
    return { exporting: numbers('exporting'), acknowledged: numbers('acknowledged') }
  }

  /** Returns the numbers of the batches that messages contain. Fails if one is not complete and in its order. */
  batchesIn(messages: readonly string[]): ReadonlySet<number> {
    const batches = new Map<number, string[]>()
    for (const message of messages) {
      const [sender, batch, position] = message.split(' ')
      if (sender === this.name) batches.set(Number(batch), [...(batches.get(Number(batch)) ?? []), position!])
    }
    for (const [batch, positions] of batches) {
      const count = 1 + (batch % maxRecords)
      expect(positions).toEqual(Array.from({ length: count }, (_, index) => `${index}/${count}`))
    }
    return new Set(batches.keys())
  }
}

/** Returns the messages of all records that the viewer has, as it exports them. Fails if one is not complete. */
export async function messagesIn(viewer: StartedViewer): Promise<readonly string[]> {
  const response = await fetch(`${await viewer.url()}/api/export`)
  const lines = (await response.text()).trim().split('\n')
  const messages = lines.flatMap((line) =>
    [...line.matchAll(/"body":\{"stringValue":"([^"]*)"/g)].map(([, message]) => message!),
  )
  expect(messages.filter((message) => !/^[\w-]+ \d+ \d\/\d x{10000}\.$/.test(message))).toEqual([])
  return messages
}

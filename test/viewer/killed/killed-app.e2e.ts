import { afterEach, describe, expect } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { runs } from '../../support/runs.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { inDirectory } from '../database/support.ts'
import { runViewer, StartedViewer, withBuild } from '../inputs/started-viewer.ts'

const app = join(import.meta.dirname, 'exporting-app.ts')
const maxRecords = 6
const length = 10_000
const viewers: StartedViewer[] = []

function start(args: readonly string[]): StartedViewer {
  const viewer = new StartedViewer(args)
  viewers.push(viewer)
  return viewer
}

afterEach(() => {
  for (const { child } of viewers.splice(0)) child.kill('SIGKILL')
})

interface KilledApp {
  /** The numbers of the batches whose export had begun. */
  readonly exporting: readonly number[]
  readonly acknowledged: readonly number[]
}

/** Starts an app that exports records, and kills it some time after the first acknowledgment. */
async function killWhileExporting(url: string, name: string): Promise<KilledApp> {
  const args = [app, url, name, String(maxRecords), String(length)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  await waitUntil(() => output.includes('acknowledged'))
  await sleep(Math.random() * 200)
  child.kill('SIGKILL')
  await once(child, 'close')
  const numbers = (kind: string): number[] =>
    [...output.matchAll(new RegExp(`^${kind} (\\d+)$`, 'gm'))].map(([, number]) => Number(number))
  return { exporting: numbers('exporting'), acknowledged: numbers('acknowledged') }
}

/** Returns the messages of all records that the viewer has, as it exports them. */
async function messagesIn(viewer: StartedViewer): Promise<readonly string[]> {
  const response = await fetch(`${await viewer.url()}/api/export`)
  const lines = (await response.text()).trim().split('\n')
  return lines.flatMap((line) => [...line.matchAll(/"body":\{"stringValue":"([^"]*)"/g)].map(([, message]) => message!))
}

/** Returns the number of records in each batch of an app. */
function batchesOf(name: string, messages: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const batches = new Map<number, string[]>()
  for (const message of messages) {
    const [sender, batch, position] = message.split(' ')
    if (sender === name) batches.set(Number(batch), [...(batches.get(Number(batch)) ?? []), position!])
  }
  return batches
}

describe('an app that is killed while it exports', () => {
  withBuild('leaves every record that was acknowledged to it, and no part of a request, at any time', async () => {
    const viewer = start([])
    const url = await viewer.url()
    let interrupted = 0
    for (let round = 0; round < 6 * runs; round++) {
      const name = `app-${round}`
      const { exporting, acknowledged } = await killWhileExporting(url, name)
      const messages = await messagesIn(viewer)
      expect(messages.filter((message) => !/^app-\d+ \d+ \d\/\d x{10000}\.$/.test(message))).toEqual([])
      const batches = batchesOf(name, messages)
      expect(acknowledged.filter((batch) => !batches.has(batch))).toEqual([])
      for (const [batch, positions] of batches) {
        const count = 1 + (batch % maxRecords)
        expect(positions).toEqual(Array.from({ length: count }, (_, index) => `${index}/${count}`))
      }
      interrupted += exporting.filter((batch) => !batches.has(batch)).length
    }
    expect(interrupted).toBeGreaterThan(0)
    expect(viewer.child.exitCode).toBeNull()
  })
})

describe('a program of the viewer that is killed', () => {
  const script = `process.stdout.write('whole line\\npart of a li'); process.stderr.write('part of an error'); setInterval(() => {}, 1000)`

  withBuild('leaves the parts of lines that it has written, in the terminal and on the page', async () => {
    const viewer = start(['--', process.execPath, '--eval', `console.log('pid', process.pid); ${script}`])
    const stdout = text(viewer.child.stdout)
    const close = await viewer.openPage()
    const written = await viewer.untilRecords(2)
    await waitUntil(() => viewer.stderr.includes('part of an error'))
    const first = written.map(({ message }) => message).find((message) => message.startsWith('pid '))!
    process.kill(Number(first.split(' ')[1]), 'SIGKILL')
    await viewer.untilReported('the program ended with the exit code 137; the viewer is open until Ctrl+C')
    const records = await viewer.records()
    expect(records.map(({ level, message }) => `${level} ${message}`).toSorted()).toEqual([
      'error part of an error',
      'info part of a li',
      `info ${first}`,
      'info whole line',
    ])
    viewer.child.kill('SIGINT')
    await expect(viewer.exitCode).resolves.toBe(137)
    expect(await stdout).toBe(`${first}\nwhole line\npart of a li`)
    close()
  })

  withBuild('leaves them in the database of a viewer that ends with it', async () => {
    await inDirectory(async (directory) => {
      const database = join(directory, 'logs.db')
      const killed = `${script}; setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)`
      const run = await runViewer(['--db', database, '--', process.execPath, '--eval', killed])
      expect(run.code).toBe(137)
      expect(run.stdout).toBe('whole line\npart of a li')
      const next = start(['--db', database])
      const records = await next.untilRecords(3)
      expect(records.map(({ message }) => message).toSorted()).toEqual([
        'part of a li',
        'part of an error',
        'whole line',
      ])
    })
  })
})

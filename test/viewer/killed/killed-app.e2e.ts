import { afterEach, describe, expect } from '@jest/globals'
import * as fc from 'fast-check'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { inDirectory } from '../database/support.ts'
import { runViewer, StartedViewer, withBuild } from '../inputs/started-viewer.ts'
import { ExportingApp, messagesIn } from './exports.ts'

const viewers: StartedViewer[] = []

function start(args: readonly string[]): StartedViewer {
  const viewer = new StartedViewer(args)
  viewers.push(viewer)
  return viewer
}

afterEach(() => {
  for (const { child } of viewers.splice(0)) child.kill('SIGKILL')
})

/** Returns times in ms after which apps are killed. */
function delays(count: number): readonly number[] {
  return fc.sample(fc.integer({ min: 0, max: 200 }), { seed, numRuns: count * runs })
}

describe('an app that is killed while it exports', () => {
  withBuild('leaves every record that was acknowledged to it, and no part of a request, at any time', async () => {
    const viewer = start([])
    const url = await viewer.url()
    let interrupted = 0
    for (const [round, delay] of delays(6).entries()) {
      const app = new ExportingApp(url, `app-${round}`)
      await app.untilAcknowledged()
      await sleep(delay)
      const { exporting, acknowledged } = await app.kill()
      const batches = app.batchesIn(await messagesIn(viewer))
      expect(acknowledged.filter((batch) => !batches.has(batch))).toEqual([])
      interrupted += exporting.filter((batch) => !batches.has(batch)).length
    }
    expect(interrupted).toBeGreaterThan(0)
    expect(viewer.child.exitCode).toBeNull()
  })

  withBuild(
    'leaves every record that was acknowledged to it in the database of a viewer that is killed after it',
    async () => {
      await inDirectory(async (directory) => {
        const args = ['--db', join(directory, 'logs.db')]
        const viewer = start(args)
        const url = await viewer.url()
        const apps: { readonly app: ExportingApp; readonly acknowledged: readonly number[] }[] = []
        for (const [round, delay] of delays(3).entries()) {
          const app = new ExportingApp(url, `app-${round}`)
          await app.untilAcknowledged()
          await sleep(delay)
          apps.push({ app, acknowledged: (await app.kill()).acknowledged })
        }
        viewer.child.kill('SIGKILL')
        await viewer.exitCode
        const next = start(args)
        await next.untilRecords(1)
        for (const { app, acknowledged } of apps) {
          const missing = async (): Promise<number[]> => {
            const batches = app.batchesIn(await messagesIn(next))
            return acknowledged.filter((batch) => !batches.has(batch))
          }
          // The records of a database are loaded after the start.
          await waitUntil(async () => (await missing()).length === 0)
        }
      })
    },
  )
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

  withBuild('leaves the parts of lines that it has written in the database of a viewer that ends with it', async () => {
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

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ViewerServer } from '../../../src/viewer/server/viewer-server.ts'
import { runs } from '../../support/runs.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { builtPageFiles, launchChromiumProcess, type BrowserProcess } from '../page/open-viewer.ts'
import { inDirectory } from '../database/support.ts'
import { StartedViewer, withBuild } from '../inputs/started-viewer.ts'
import { usedMemory } from '../used-memory.ts'
import { ExportingApp, messagesIn } from './exports.ts'

const app = join(import.meta.dirname, 'exporting-app.ts')
const maxBytes = 8_000_000
const browsers: BrowserProcess[] = []
let server: ViewerServer
let url: string
let sender: ChildProcess

beforeAll(async () => {
  server = new ViewerServer({ host: '127.0.0.1', port: 0, token: undefined, maxBytes, page: builtPageFiles() })
  url = `http://127.0.0.1:${await server.listen()}`
  // Records of 100 characters, several 10,000 in a second.
  sender = spawn(process.execPath, [app, url, 'stream', '1000', '100'], { stdio: ['ignore', 'ignore', 'inherit'] })
  // The oldest records are removed all the time.
  await waitUntil(() => server.logs.firstSequence > 0)
})
afterEach(async () => {
  await Promise.all(browsers.splice(0).map((each) => each.kill()))
})
afterAll(() => {
  sender.kill('SIGKILL')
  server.close()
})

interface Follower extends BrowserProcess {
  readonly page: Page
}

/** Starts a browser whose page follows the stream: the newest row changes. */
async function follow(address = url, sender = 'stream '): Promise<Follower> {
  const started = await launchChromiumProcess()
  browsers.push(started)
  const page = await started.browser.newPage()
  await page.goto(address)
  const newest = async (): Promise<string> => (await page.locator('.list .row .text').allInnerTexts()).at(-1) ?? ''
  await waitUntil(async () => (await newest()).startsWith(sender))
  const first = await newest()
  await waitUntil(async () => (await newest()) !== first)
  return { ...started, page }
}

test('a browser that is killed while its page follows a fast stream leaves no view and no memory, and a new page opens', async () => {
  const memory: number[] = []
  for (let round = 0; round < 6 * runs; round++) {
    const { kill } = await follow()
    expect(server.pageCount).toBe(1)
    await kill()
    await waitUntil(() => server.pageCount === 0)
    memory.push(await usedMemory())
  }
  // The first round loads what all others use. A view that is not freed has 1 MB.
  expect(Math.min(...memory.slice(-2)) - memory[1]!).toBeLessThan(2_000_000)
  const { browser, page } = await follow()
  expect(await page.getByText('● connected').count()).toBe(1)
  await browser.close()
  await waitUntil(() => server.pageCount === 0)
})

withBuild('a browser that is killed loses no record that a viewer with a database has acknowledged', async () => {
  await inDirectory(async (directory) => {
    const args = ['--db', join(directory, 'logs.db')]
    const viewer = new StartedViewer(args)
    const address = await viewer.url()
    const exporting = new ExportingApp(address, 'app')
    for (let round = 0; round < 2 * runs; round++) await (await follow(address, 'app ')).kill()
    const { acknowledged } = await exporting.kill()
    viewer.child.kill('SIGKILL')
    await viewer.exitCode
    const next = new StartedViewer(args)
    await next.untilRecords(1)
    const missing = async (): Promise<number[]> => {
      const batches = exporting.batchesIn(await messagesIn(next))
      return acknowledged.filter((batch) => !batches.has(batch))
    }
    // The records of a database are loaded after the start.
    await waitUntil(async () => (await missing()).length === 0)
    expect(acknowledged.length).toBeGreaterThan(10)
    next.child.kill('SIGKILL')
    await next.exitCode
  })
})

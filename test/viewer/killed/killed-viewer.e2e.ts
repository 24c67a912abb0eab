import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { once } from 'node:events'
import type { Browser, Page } from 'playwright-core'
import { waitUntil } from '../../support/wait-until.ts'
import { StartedViewer, withBuild } from '../inputs/started-viewer.ts'
import { launchChromium } from '../page/open-viewer.ts'
import { rowsShown, scrollList, selectedText, statusText } from '../page/page-parts.ts'
import { requestOf } from '../support.ts'

let browser: Browser
const viewers: StartedViewer[] = []

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
afterEach(async () => {
  for (const { child } of viewers.splice(0)) child.kill('SIGKILL')
  for (const context of browser.contexts()) await context.close()
})

/** Starts a viewer with numbered records. */
async function start(run: string, count: number, args: readonly string[] = []): Promise<StartedViewer> {
  const viewer = new StartedViewer(args)
  viewers.push(viewer)
  const records = Array.from({ length: count }, (_, at) => ({
    time: Date.now(),
    severityNumber: 9,
    body: `${run} ${at} of ${count}`,
  }))
  const response = await fetch(`${await viewer.url()}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: Uint8Array.from(requestOf(records)),
  })
  expect(response.status).toBe(200)
  return viewer
}

async function kill({ child }: StartedViewer): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Scrolls through a list, and waits until all of its rows are records of one run. */
async function readAll(page: Page, run: string): Promise<void> {
  for (const fraction of [0, 0.33, 0.66, 1]) {
    await scrollList(page, fraction)
    await waitUntil(async () => {
      const rows = await rowsShown(page)
      return rows.length > 10 && rows.every((row) => row.startsWith(`${run} `))
    })
  }
}

/** Opens a page that has requested all rows and follows them. */
async function openFollowing(url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.getByText('old 299 of 300').waitFor()
  await readAll(page, 'old')
  return page
}

withBuild(
  'pages of a viewer that is killed connect to the next one at its port, and show only its records',
  async () => {
    const first = await start('old', 300)
    const url = await first.url()
    const following = await openFollowing(url)
    const scrolled = await openFollowing(url)
    await scrollList(scrolled, 0.5)
    await scrolled
      .locator('.list .row', { hasText: /old 14\d of/ })
      .first()
      .click()
    await scrolled.locator('.record-panel').waitFor()
    await kill(first)
    for (const page of [following, scrolled]) await page.getByText('the viewer does not answer').waitFor()
    const next = await start('new', 280, ['--port', new URL(url).port])
    for (const page of [following, scrolled]) {
      await page.locator('.connected').waitFor()
      await waitUntil(async () => (await statusText(page)).includes('280 records'))
      await readAll(page, 'new')
      expect((await rowsShown(page)).at(-1)).toBe('new 279 of 280')
      expect(await page.getByText('old ').count()).toBe(0)
      expect(await selectedText(page)).toBe('')
      expect(await page.locator('.record-panel').count()).toBe(0)
    }
    expect(next.child.exitCode).toBeNull()
  },
)

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import type { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { ViewerServer } from '../../../src/viewer/server/viewer-server.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { requestOf, type TestRecord } from '../support.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { addressOf, rowsShown } from './page-parts.ts'
import { traceId } from './shop-records.ts'

let browser: Browser
let files: PageFiles
let viewer: OpenViewer
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  files = builtPageFiles()
})
afterAll(() => browser.close())
beforeEach(async () => {
  viewer = await openViewer(browser, files)
  page = viewer.page
})
afterEach(async () => {
  await viewer.close()
  expect(viewer.violations).toEqual([])
})

const recordsOf = (name: string, count: number): TestRecord[] =>
  Array.from({ length: count }, (_, at) => ({ time: Date.now(), severityNumber: 9, body: `${name} ${at} of this run` }))

async function pause(millis: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, millis))
}

/** Makes a page behave as in a tab that is seen, or is not. */
async function show(each: Page, isShown: boolean): Promise<void> {
  await each.evaluate<void>(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!isShown} })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}

/** Sends a record each 50 ms until something is shown. */
async function sendUntil(isShown: () => Promise<boolean>): Promise<boolean> {
  for (let sent = 0; sent < 100; sent++) {
    await viewer.send([{ time: Date.now(), severityNumber: 9, body: 'hello', traceId, service: 'mail' }])
    await pause(50)
    if (await isShown()) return true
  }
  return false
}

describe('queries', () => {
  test('new records appear while the query is invalid', async () => {
    await viewer.send(recordsOf('first', 3))
    await page.getByText('first 2 of this run').waitFor()
    await page.locator('#query').fill('tenant=')
    await page.locator('.problem').waitFor()
    await viewer.send(recordsOf('second', 3))
    await page.getByText('second 2 of this run').waitFor()
    await page.locator('#query').fill('"second"')
    await waitUntil(async () => (await rowsShown(page)).length === 3)
    await waitUntil(() => viewer.server.pageCount === 1)
  })

  test('a query that takes too long is sent once', async () => {
    await viewer.send([{ body: `${'a'.repeat(40)}b` }])
    let requests = 0
    page.on('request', (request) => (requests += request.url().includes('/api/live') ? 1 : 0))
    await page.locator('#query').fill('message ~ /(a+)+$/')
    await page.locator('.problem').waitFor()
    await pause(1_500)
    expect(requests).toBe(1)
    await page.locator('#query').fill('message ~ /a+b$/')
    await waitUntil(async () => (await rowsShown(page)).length === 1)
  })
})

describe('connections', () => {
  test('a page shows the records of a viewer that was started again, and no others by their numbers', async () => {
    await viewer.send(recordsOf('old', 5))
    await page.getByText('old 4 of this run').waitFor()
    await page.keyboard.press('k')
    await page.locator('.record-panel').getByText('old 4 of this run').waitFor()
    const address = page.url()
    const port = Number(new URL(viewer.url).port)
    viewer.server.close()
    await page.getByText('the viewer does not answer').waitFor()
    const settings = { host: '127.0.0.1', port, token: undefined, maxBytes: 64_000_000, page: files }
    const server = new ViewerServer(settings)
    await server.listen()
    await fetch(`${viewer.url}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: Uint8Array.from(requestOf(recordsOf('new', 5))),
    })
    await page.locator('.list').getByText('new 4 of this run').waitFor()
    expect(await page.getByText('of this run').allInnerTexts()).not.toContain('old 0 of this run')
    await page.locator('.record-panel').waitFor({ state: 'detached' })
    for (const old of [address, address.replace('record=', 'template=')]) {
      await page.goto(old)
      await page.locator('.list').getByText('new 4 of this run').waitFor()
      await waitUntil(() => page.url() === `${viewer.url}/`)
    }
    await page.keyboard.press('k')
    await waitUntil(() => addressOf(page).has('viewer'))
    await page.reload()
    await page.locator('.record-panel').getByText('new 4 of this run').waitFor()
    server.close()
  })

  test('pages that are not seen leave the connections of the browser to others', async () => {
    await viewer.send(recordsOf('first', 3))
    for (let count = 0; count < 7; count++) {
      const other = await page.context().newPage()
      await other.goto(viewer.url)
      await other.getByText('first 2 of this run').waitFor()
      await show(other, false)
    }
    // The first page is seen. At most three others keep their connections.
    await waitUntil(() => viewer.server.pageCount <= 4)
    await viewer.send(recordsOf('second', 3))
    for (const each of page.context().pages()) {
      await show(each, true)
      await each.getByText('second 2 of this run').waitFor()
      await show(each, false)
    }
  })

  test('the reason is shown if the viewer refuses the page', async () => {
    const error = 'at most 16 pages can be open at once'
    await page.route('**/api/live*', (route) => route.fulfill({ status: 503, json: { error } }))
    await page.reload()
    await page.getByRole('contentinfo').getByText(error).waitFor()
    await page.unroute('**/api/live*')
    await page.locator('.connected').waitFor()
  })

  test('a record is not reported as removed if the viewer does not answer', async () => {
    await viewer.send(recordsOf('first', 1))
    await page.getByText('first 0 of this run').waitFor()
    await page.route('**/api/records/*', (route) => route.abort())
    await page.keyboard.press('k')
    await page.getByText('The record cannot be shown: the viewer does not answer.').waitFor()
    await page.unroute('**/api/records/*')
  })
})

describe('views that are requested again', () => {
  test.each([
    ['the groups of templates', '/?panel=templates', '.templates td.number'],
    ['the records of a trace', `/?open=${traceId}`, 'dialog .note'],
  ])('%s are updated while records arrive all the time', async (_, address, selector) => {
    await viewer.send([{ time: Date.now(), severityNumber: 9, body: 'hello', traceId }])
    await viewer.open(address)
    const element = page.locator(selector).first()
    await element.waitFor()
    const first = await element.innerText()
    expect(await sendUntil(async () => (await element.innerText()) !== first)).toBe(true)
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { LogDatabase } from '../../../src/viewer/database/log-database.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { traceId } from './shop-records.ts'

const viewport = { width: 390, height: 780 }
let browser: Browser
let directory: string
let viewer: OpenViewer

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'viewer-narrow-'))
  const database = new LogDatabase(join(directory, 'a.db'), 64_000_000)
  viewer = await openViewer(browser, builtPageFiles(), { viewport }, { database, maxBytes: 2_000_000 })
  for (let sent = 0; sent < 6; sent++)
    await viewer.send(
      Array.from({ length: 1_000 }, (_, at) => ({
        time: Date.now(),
        severityNumber: 9,
        body: `order ${sent * 1_000 + at} ${'x'.repeat(300)}`,
        traceId: at === 999 ? traceId : undefined,
      })),
    )
})
afterEach(async () => {
  await viewer.close()
  rmSync(directory, { recursive: true })
  expect(viewer.violations).toEqual([])
})

/** Returns the part of the width of an element that is in the window and not covered by others. */
async function visiblePart(selector: string): Promise<number> {
  return viewer.page.evaluate<number>(`{
    const element = document.querySelector('${selector}')
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const columns = Array.from({ length: Math.ceil(right - left) }, (_, at) => left + at + 0.5)
    columns.filter((x) => element.contains(document.elementFromPoint(x, (top + bottom) / 2))).length / columns.length
  }`)
}

test.each([
  ['the button that closes a trace', `/?open=${traceId}`, 'dialog [aria-label="Close the trace"]'],
  ['the button that closes a record', '/?panel=records', '.record-panel [aria-label="Close the record"]'],
  ['the message of an older record', '/?panel=older', '.templates td .link'],
  ['the number of older records', '/', '.status .condition'],
  ['the template of messages', '/?panel=templates', '.templates td .link'],
])('a window of 390 pixels shows %s as a whole', async (_, address, selector) => {
  await viewer.open(address)
  if (selector.startsWith('.record-panel')) {
    await viewer.page.locator('.list .row .text').first().waitFor()
    await viewer.page.keyboard.press('k')
  }
  await viewer.page.locator(selector).first().waitFor()
  expect(await visiblePart(selector)).toBeGreaterThan(0.95)
})

test('a window of 390 pixels gives the message of an older record most of the space', async () => {
  await viewer.open('/?panel=older')
  const cells = viewer.page.locator('.templates tbody tr').first().locator('td')
  await cells.first().waitFor()
  const box = await cells.last().boundingBox()
  expect(box?.width).toBeGreaterThan(viewport.width / 2)
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { waitUntil } from '../../support/wait-until.ts'
import { hostileRecords } from './hostile-records.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { selectedText, statusText } from './page-parts.ts'

let browser: Browser
let viewer: OpenViewer
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  // All rows are in the window.
  viewer = await openViewer(browser, builtPageFiles(), { viewport: { width: 1280, height: 1_800 } })
  page = viewer.page
  for (const record of hostileRecords) await viewer.send([record])
  await waitUntil(async () => (await statusText(page)).includes(`${hostileRecords.length} records`))
  await waitUntil(async () => (await page.locator('.list .row .text').count()) === hostileRecords.length)
})
afterAll(async () => {
  await viewer.close()
  await browser.close()
})

/** Returns what has changed in the page because of a record: a script has run, the page is wider than its window, or elements were added. */
async function changes(): Promise<object> {
  return page.evaluate<object>(`({
    hacked: globalThis.hacked,
    polluted: {}.hacked,
    scrolls: document.scrollingElement.scrollWidth > innerWidth || document.scrollingElement.scrollHeight > innerHeight,
    elements: [...document.querySelectorAll('script:not([src]), #app :is(script, iframe, img, link, style, form, object, embed)')].map(({ outerHTML }) => outerHTML),
    lists: document.querySelectorAll('#records').length,
  })`)
}

const unchanged = { hacked: undefined, polluted: undefined, scrolls: false, elements: [], lists: 1 }

test('hostile records are rows of one line each', async () => {
  const heights = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.list .row')].map((row) => row.getBoundingClientRect().height)`,
  )
  expect(new Set(heights)).toEqual(new Set([22]))
  const overflowing = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.list .row')].filter((row) => row.scrollWidth > row.clientWidth + 1).map((row) => row.textContent.slice(0, 100))`,
  )
  expect(overflowing).toEqual([])
  expect(await changes()).toEqual(unchanged)
  expect(viewer.violations).toEqual([])
})

test('hostile records are opened one after the other, and are nothing but text', async () => {
  await page.keyboard.press('g')
  for (let at = 0; at < hostileRecords.length; at++) {
    await page.locator(`.list .row.selected[aria-rowindex="${at + 1}"]`).waitFor()
    await page.locator('.record-panel .origin').waitFor()
    expect(await changes()).toEqual(unchanged)
    const isWide = await page.evaluate<boolean>(
      `{ const panel = document.querySelector('.record-panel'); panel.scrollWidth > panel.clientWidth + 1 }`,
    )
    expect([isWide, await selectedText(page)]).toEqual([false, expect.anything()])
    await page.keyboard.press('j')
  }
  expect(viewer.violations).toEqual([])
})

test('very large values are shown in part, so that the page has few elements', async () => {
  const elements = async () => page.evaluate<number>(`document.querySelectorAll('*').length`)
  for (const message of ['ten megabytes', 'many attributes', 'a long list', 'an exception']) {
    await page.locator('.list .row', { hasText: message }).first().click()
    await page.locator('.record-panel', { hasText: message }).locator('.origin').waitFor()
    expect(await elements()).toBeLessThan(15_000)
  }
  await page.locator('.list .row', { hasText: 'ten megabytes' }).click()
  await page.getByRole('button', { name: 'show 50,001 characters' }).click()
  await page.getByRole('button', { name: 'show 50,001 characters' }).waitFor({ state: 'detached' })
  expect(await changes()).toEqual(unchanged)
})

test('hostile services, templates and completions are nothing but text', async () => {
  await viewer.open('/?panel=templates')
  await page.locator('.templates td').first().waitFor()
  expect(await changes()).toEqual({ ...unchanged, lists: 0 })
  await page.locator('#query').focus()
  for (const start of ['__proto', 'constr', 'script', 'img']) {
    await page.locator('#query').fill(start)
    await page.locator('#completions li').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await changes()).toEqual({ ...unchanged, lists: 0 })
  }
  await page.locator('#query').fill('')
  await page.getByRole('navigation').getByRole('button', { name: '<script>' }).first().click()
  await waitUntil(async () => (await statusText(page)).includes(` of ${hostileRecords.length} records`))
  expect(await changes()).toEqual({ ...unchanged, lists: 0 })
  expect(viewer.violations).toEqual([])
})

test.each(['traceId', 'spanId', 'timeUnixNano', 'severityNumber', 'body', 'attributes'])(
  'a record of OTLP/JSON with markup as %s is refused or shown as text',
  async (field) => {
    const logRecord = { body: { stringValue: 'json' }, [field]: '<script>hacked = 1</script>' }
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [logRecord] }] }] })
    const response = await fetch(`${viewer.url}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([200, 400]).toContain(response.status)
    await viewer.open('/')
    await page.locator('.list .row .text').first().waitFor()
    await page.keyboard.press('g')
    await page.locator('.record-panel .origin').waitFor()
    expect(await changes()).toEqual(unchanged)
    expect(viewer.violations).toEqual([])
  },
)

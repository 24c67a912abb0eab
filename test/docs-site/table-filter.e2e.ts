import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openSite, type OpenSite } from './open-site.ts'

let browser: Browser
let site: OpenSite
let page: Page
beforeAll(async () => {
  browser = await launchChromium()
  site = await openSite(browser)
  page = site.page
})
afterAll(async () => {
  await site.close()
  await browser.close()
})

/** Returns the texts of the visible rows of the tables of facts, the sums included. */
async function visibleRows(): Promise<string[]> {
  const tables = page
    .locator('.vp-doc table')
    .filter({ has: page.locator('thead th:first-child', { hasText: /^\s*(?:row|id)\s*$/ }) })
  return (await tables.locator('tbody tr:visible').allTextContents()).map((text) => text.replaceAll(/\s+/g, ' '))
}

test('the text selects rows of the fault table, and is in the address', async () => {
  await site.open('/reference/reliability.html')
  await page.getByLabel('Text').fill('sigterm')
  const count = Number.parseInt((await page.getByRole('status').filter({ hasText: 'rows' }).textContent()) ?? '', 10)
  const rows = await visibleRows()
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.filter((row) => !/sigterm/i.test(row))).toEqual([])
  expect(count).toBe(rows.length)
  expect(new URL(page.url()).search).toBe('?q=sigterm')
})

test('a logger selects the faults with which it fails, and hides the other table', async () => {
  await site.open('/reference/reliability.html')
  const all = (await visibleRows()).length
  await page.getByLabel('Fails with').selectOption('winston')
  const selected = (await visibleRows()).length
  expect(selected).toBeGreaterThan(1)
  expect(selected).toBeLessThan(all)
  expect(await page.getByRole('heading', { name: 'Faults and test results' }).isVisible()).toBe(false)
})

test('a section without a selected row is hidden completely, also its other table', async () => {
  await site.open('/reference/reliability.html')
  const setup = page.getByRole('columnheader', { name: 'setup' })
  const heading = page.getByRole('heading', { name: 'Comparison with other loggers' })
  expect(await setup.isVisible()).toBe(true)
  await page.getByLabel('Text').fill('logrotate')
  await heading.waitFor({ state: 'hidden' })
  expect(await setup.isVisible()).toBe(false)
  expect(await page.getByRole('heading', { name: 'Faults and test results' }).isVisible()).toBe(true)
  await page.getByLabel('Text').fill('')
  await heading.waitFor()
  expect(await setup.isVisible()).toBe(true)
})

test('the sums of a table are hidden while only some of its rows are shown', async () => {
  await site.open('/reference/reliability.html')
  const sums = page.locator('.vp-doc tbody tr:visible', { has: page.locator('td:first-child:empty') })
  expect(await sums.count()).toBe(1)
  await page.getByLabel('Fails with').selectOption('winston')
  await page.getByRole('heading', { name: 'Faults and test results' }).waitFor({ state: 'hidden' })
  expect(await sums.count()).toBe(0)
})

test('the address selects rows of the conformance tables', async () => {
  await site.open('/reference/opentelemetry.html?level=MUST&result=differs')
  expect(await page.getByLabel('Level').inputValue()).toBe('MUST')
  const rows = (await page.locator('.vp-doc h2:visible ~ table:visible tbody tr:visible').allTextContents()).map(
    (text) => text.trim(),
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.filter((row) => !row.includes('Differs:'))).toEqual([])
  await page.getByLabel('Result').selectOption('all')
  expect(new URL(page.url()).search).toBe('?level=MUST')
})

test('all rows are shown without JavaScript', async () => {
  const plain = await openSite(browser, { javaScriptEnabled: false })
  await plain.open('/reference/reliability.html?q=sigterm')
  expect(await plain.page.locator('.vp-doc tbody tr:visible').count()).toBeGreaterThan(100)
  await plain.close()
})

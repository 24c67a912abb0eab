import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openSite, samplePages, type OpenSite } from './open-site.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

describe.each([390, 1024, 1600])('in a window that is %s pixels wide', (width) => {
  let site: OpenSite
  beforeAll(async () => {
    site = await openSite(browser, { viewport: { width, height: 900 } })
  })
  afterAll(() => site.close())

  test.each(samplePages)('the page %s is not wider than the window and uses no other host', async (path) => {
    await site.open(path)
    const hidden = await site.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(hidden).toBe(0)
    expect(site.violations).toEqual([])
  })
})

test('the scripts, styles and fonts of the first page have at most 150 kB in gzip', async () => {
  const site = await openSite(browser)
  await site.open('/')
  const loaded = site.responses.filter((response) =>
    ['document', 'script', 'stylesheet', 'font'].includes(response.request().resourceType()),
  )
  const bodies = await Promise.all(loaded.map((response) => response.body()))
  const sizes = bodies.map((body) => gzipSync(body).length)
  await site.close()
  expect(loaded.some((response) => response.request().resourceType() === 'script')).toBe(true)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000)
})

test('an address without a page has a page with a link to the start page', async () => {
  const site = await openSite(browser)
  await site.open('/guides/missing.html')
  const { page } = site
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Page not found')
  expect(await page.getByRole('link', { name: 'Start page' }).getAttribute('href')).toBe('/')
  await site.close()
})

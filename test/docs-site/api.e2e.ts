import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { serveSite, type ServedSite } from './serve-site.ts'

let site: ServedSite
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await serveSite()
  browser = await launchChromium()
  page = await browser.newPage()
})

afterAll(async () => {
  await browser.close()
  site.close()
})

/** Returns the name in code that the heading of the current address has. */
async function headingOfAddress(): Promise<string | null> {
  return page.locator(`[id="${new URL(page.url()).hash.slice(1)}"] code`).textContent()
}

describe('the API pages in a browser', () => {
  it('lead from a type in a signature to its section on the page of another entry point', async () => {
    await page.goto(`${site.url}/api/exporters.html#fileExporter`)
    await page.locator('#fileExporter + div pre a', { hasText: /^FileExporterOptions$/ }).click()
    await page.waitForURL('**/api/exporters.html#FileExporterOptions')
    await page.goto(`${site.url}/api/bole.html#OutputOptions-redact`)
    await page.locator('#OutputOptions-redact + p a', { hasText: /^Redact$/ }).click()
    await page.waitForURL('**/api/sluice.html#Redact')
    await page.locator('[id="Redact"]').waitFor()
    expect(await headingOfAddress()).toBe('Redact')
  })

  it('distinguish anchors that differ only in case', async () => {
    await page.goto(`${site.url}/api/sluice.html#logger`)
    expect(await headingOfAddress()).toBe('logger')
    await page.goto(`${site.url}/api/sluice.html#Logger`)
    expect(await headingOfAddress()).toBe('Logger')
  })

  it('are linked under the title of the guide about an entry point', async () => {
    await page.goto(`${site.url}/guides/lint.html`)
    await page.locator('h1 + p a', { hasText: 'sluice/lint' }).click()
    await page.waitForURL('**/api/lint.html')
    // The address changes before the page does.
    await page.locator('h1', { hasText: 'sluice/lint' }).waitFor()
    expect(await page.title()).toContain('sluice/lint')
  })

  it('are found by the name of an option', async () => {
    await page.goto(`${site.url}/api/lint.html`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input').fill('exitTimeoutMillis')
    const result = page.locator('.VPLocalSearchBox .result[href*="LoggerOptions-exitTimeoutMillis"]')
    await result.first().waitFor()
    expect(await result.first().textContent()).toContain('exitTimeoutMillis')
  })

  it.each(['winston', 'pino'])('are not wider than a small screen: %s', async (name) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${site.url}/api/${name}.html`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  it('have labels without Markdown at the links of their headings', async () => {
    await page.goto(`${site.url}/api/lambda.html`)
    const labels = await page.locator('.header-anchor').evaluateAll((links) => links.map((link) => link.ariaLabel))
    expect(labels).toContain('Permalink to "withFlush"')
    expect(labels.filter((label) => /[`{]/.test(label ?? '`'))).toEqual([])
  })
})

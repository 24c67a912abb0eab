import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
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

/** Returns the name of the element that has the focus. */
async function focused(): Promise<string> {
  return page.evaluate<string>(
    `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`,
  )
}

/** Presses Tab repeatedly, and returns the names of the elements that get the focus, in their order. */
async function namesByTab(count: number): Promise<string[]> {
  const names: string[] = []
  for (let pressed = 0; pressed < count; pressed++) {
    await page.keyboard.press('Tab')
    names.push(await focused())
  }
  return names
}

describe.each(['/', '/guides/redaction.html'])('in the page %s', (path) => {
  beforeEach(() => site.open(path))

  test('Tab reaches the skip link, the logo, the search, and then the menu', async () => {
    expect(await namesByTab(7)).toEqual([
      'Skip to content',
      'sluice',
      'Search',
      'Guides',
      'Reference',
      'Facts',
      'Playground',
    ])
  })

  test('the skip link moves the focus to the content', async () => {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<boolean>(`document.getElementById('VPContent').contains(document.activeElement)`)).toBe(
      true,
    )
  })

  test('Ctrl+K opens the search, Escape closes it, and the focus returns', async () => {
    const link = page.getByRole('link', { name: 'Playground' }).first()
    await link.focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').waitFor({ state: 'detached' })
    // The focus returns in a later task.
    await page.locator('a:focus').waitFor({ timeout: 5_000 })
    expect(await focused()).toBe('Playground')
  })
})

test('the search finds the guide for "redact" and opens it with Enter, without another host', async () => {
  await site.open('/')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('redact')
  await page.locator('.VPLocalSearchBox .result[href*="/guides/redaction"]').first().waitFor()
  await page.getByRole('searchbox').fill('disk spool')
  await page.locator('.VPLocalSearchBox .result.selected[href*="/guides/spool"]').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/guides/spool.html**')
  expect(site.violations).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { questions } from './questions.ts'
import { serveSite, type ServedSite } from './serve-site.ts'

const screen = { width: 1280, height: 800 }
let site: ServedSite
let browser: Browser

beforeAll(async () => {
  site = await serveSite()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  site.close()
})

/** Types the words into the search of the start page, and returns the addresses of the first five results. */
async function search(page: Page, words: string): Promise<(string | null)[]> {
  await page.goto(`${site.url}/`, { waitUntil: 'networkidle' })
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill(words)
  const results = page.locator('#localsearch-list a.result')
  await results.first().waitFor()
  return Promise.all((await results.all()).slice(0, 5).map((result) => result.getAttribute('href')))
}

/** Returns where an element begins, in pixels from the top of the window. */
async function topOf(element: Locator): Promise<number> {
  const { y } = (await element.boundingBox())!
  return y
}

describe('questions of users', () => {
  test.each(questions)(
    'a search for "$words" leads to the answer to: $question ($issue)',
    async ({ words, target, answer }) => {
      // A new page, because the search keeps its words for the next one.
      const page = await browser.newPage({ viewport: screen })
      expect(await search(page, words)).toContain(target)
      await page.locator(`#localsearch-list a.result[href="${target}"]`).click()
      await page.waitForURL(site.url + target)
      const heading = page.locator(`.vp-doc [id="${target.split('#')[1]}"]`)
      const pixels = (await topOf(page.locator('.vp-doc').getByText(answer).first())) - (await topOf(heading))
      expect(pixels).toBeGreaterThan(0)
      expect(pixels).toBeLessThan(screen.height)
      await page.close()
    },
  )
})

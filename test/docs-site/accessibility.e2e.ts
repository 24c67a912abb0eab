import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { axeProblems } from '../viewer/page/axe-problems.ts'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openSite, samplePages, type OpenSite } from './open-site.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Returns the serious and critical problems of the whole page. */
async function seriousProblems(page: Page): Promise<string[]> {
  return (await axeProblems(page)).filter((problem) => /^(?:serious|critical) /.test(problem))
}

describe.each(['light', 'dark'] as const)('with the %s colors', (colorScheme) => {
  let site: OpenSite
  beforeAll(async () => {
    site = await openSite(browser, { colorScheme })
  })
  afterAll(() => site.close())

  test.each(samplePages)('axe finds no serious problem in the page %s', async (path) => {
    await site.open(path)
    expect(await seriousProblems(site.page)).toEqual([])
  })

  test('axe finds no serious problem in the search', async () => {
    await site.open('/guides/redaction.html')
    await site.page.keyboard.press('Control+k')
    await site.page.getByRole('searchbox').fill('redact')
    await site.page.locator('.VPLocalSearchBox .result').first().waitFor()
    expect(await seriousProblems(site.page)).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openSite, samplePages, type OpenSite } from './open-site.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Returns the serious and critical problems that axe finds. Each rule is listed with its first element. */
async function problemsIn(page: Page): Promise<string[]> {
  const violations = await page.evaluate<Violation[]>(
    `${axe.source}; axe.run('html', { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes: [node, ...others] }) => `${id}: ${node?.html} ${node?.failureSummary} and ${others.length} more`)
}

describe.each(['light', 'dark'] as const)('with the %s colors', (colorScheme) => {
  let site: OpenSite
  beforeAll(async () => {
    site = await openSite(browser, { colorScheme })
  })
  afterAll(() => site.close())

  test.each(samplePages)('axe finds no serious problem in the page %s', async (path) => {
    await site.open(path)
    expect(await problemsIn(site.page)).toEqual([])
  })

  test('axe finds no serious problem in the search', async () => {
    await site.open('/guides/redaction.html')
    await site.page.keyboard.press('Control+k')
    await site.page.getByRole('searchbox').fill('redact')
    await site.page.locator('.VPLocalSearchBox .result').first().waitFor()
    expect(await problemsIn(site.page)).toEqual([])
  })
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openSite, type OpenSite } from './open-site.ts'

let browser: Browser
let site: OpenSite
beforeAll(async () => {
  browser = await launchChromium()
  site = await openSite(browser)
})
afterAll(async () => {
  await site.close()
  await browser.close()
})

const listed = /^- (?:banner|navigation|search|complementary|main|region|contentinfo|heading)\b/

/**
 * Returns the landmarks and headings in the accessibility tree of a page, in the order in which a screen reader reads them. The names of
 * headings are without the links to them.
 */
async function structureOf(path: string): Promise<string[]> {
  await site.open(path)
  const lines = (await site.page.locator('body').ariaSnapshot()).split('\n').map((line) => line.trim())
  return lines
    .filter((line) => listed.test(line))
    .map((line) =>
      line
        .slice(2)
        .replace(/ Permalink to .*"(?= \[)/, '"')
        .replace(/:$/, ''),
    )
}

const top = ['banner', 'navigation "Main Navigation"']

test('a screen reader reads the landmarks and headings of the start page in the order of the page', async () => {
  expect(await structureOf('/')).toEqual([
    ...top,
    'main',
    'heading "sluice Structured logging for TypeScript" [level=1]',
    'heading "Measured" [level=2]',
    'heading "Shortest example" [level=2]',
    'heading "In a terminal" [level=2]',
    'heading "In the browser" [level=2]',
    'heading "Documentation" [level=2]',
    'contentinfo',
  ])
})

test('a screen reader reads the menus of a guide, then its headings in the order of the page', async () => {
  expect(await structureOf('/guides/lint.html')).toEqual([
    ...top,
    'complementary',
    'navigation "Sidebar Navigation"',
    'heading "Start" [level=2]',
    'heading "Logging" [level=2]',
    'heading "Delivery" [level=2]',
    'heading "Reading logs" [level=2]',
    'heading "Tests and lint" [level=2]',
    'heading "Migrating" [level=2]',
    'heading "Facts" [level=2]',
    'heading "Reference" [level=2]',
    'heading "API" [level=2]',
    'heading "Internals" [level=2]',
    'navigation "On this page"',
    'heading "On this page" [level=2]',
    'main',
    'heading "Lint rules for log calls" [level=1]',
    'heading "Rules" [level=2]',
    'heading "Which calls are log calls" [level=2]',
    'heading "Options" [level=2]',
    'contentinfo',
    'navigation "Pager"',
  ])
})

test('the page of an address without a page has a main landmark with its heading', async () => {
  expect(await structureOf('/missing.html')).toEqual([
    ...top,
    'main',
    'heading "Page not found" [level=1]',
    'contentinfo',
  ])
})

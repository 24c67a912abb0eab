import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openSite, type OpenSite } from './open-site.ts'
import { siteFolder } from './serve-site.ts'

let browser: Browser
let site: OpenSite
beforeAll(async () => {
  browser = await launchChromium()
  site = await openSite(browser)
  await site.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(async () => {
  await site.close()
  await browser.close()
})

const copyButton = () => site.page.getByRole('button', { name: 'Copy as Markdown' })

test.each(['/guides/redaction', '/overview', '/api/sluice'])('the Markdown of the page %s is copied', async (path) => {
  await site.open(`${path}.html`)
  await copyButton().click()
  await site.page.getByRole('status').getByText('Copied', { exact: true }).waitFor()
  const copied = await site.page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe(readFileSync(join(siteFolder, `${path}.md`), 'utf8'))
  expect(copied).toContain('\n# ')
})

test('if the Markdown of a page cannot be loaded, the page shows that nothing was copied', async () => {
  await site.open('/guides/redaction.html')
  await site.page.route('**/guides/redaction.md', (route) => route.fulfill({ status: 503 }))
  await copyButton().click()
  await site.page.getByRole('status').getByText('Not copied').waitFor()
  expect(await site.page.locator('.copy-markdown [role=status]').innerText()).toBe('Not copied: status 503')
})

test.each(['/playground.html', '/decisions/index.html'])(
  'the page %s, whose content is not in its Markdown, has no button to copy it',
  async (path) => {
    await site.open(path)
    expect(await copyButton().count()).toBe(0)
  },
)

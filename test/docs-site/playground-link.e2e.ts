import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { fragmentOf, programOf } from '../../docs/site/.vitepress/playground/program-link.ts'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openPlayground, type OpenPlayground } from './playground/open-playground.ts'
import { serveSite, type ServedSite } from './serve-site.ts'

let browser: Browser
let site: ServedSite
let playground: OpenPlayground

beforeAll(async () => {
  site = await serveSite()
  browser = await launchChromium()
  playground = await openPlayground(browser, site, '', { permissions: ['clipboard-read', 'clipboard-write'] })
})
afterAll(async () => {
  await browser.close()
  site.close()
})

describe('a program', () => {
  test('runs while it is typed, and its link contains it', async () => {
    const { page, output } = playground
    await playground.run('')
    await page.locator('.cm-content').click()
    await page.keyboard.type("import { logger } from 'sluice'\nlogger.warn('typed')")
    await page.locator('.records').getByText('WARN').waitFor()
    expect(await output()).toMatch(/WARN +typed/)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    const other = await openPlayground(browser, site, new URL(link).hash)
    expect(await other.output()).toMatch(/WARN +typed/)
    await other.close()
  })

  test('that is too long for a link keeps the address, and a message explains it', async () => {
    const { page } = playground
    await playground.run('let random = 1')
    const address = page.url()
    const digits = Array.from({ length: 20_000 }, (_, index) => Math.sin(index).toString(36).slice(-1)).join('')
    await page.locator('.cm-content').click()
    await page.keyboard.insertText(`// ${digits}\n`)
    await page.getByText('The program is too long for a link.').waitFor()
    expect(page.url()).toBe(address)
  })

  test('is in the address when it runs before the delay after typing', async () => {
    const { page } = playground
    await playground.run('')
    const address = page.url()
    await page.locator('.cm-content').click()
    await page.keyboard.insertText("console.log('typed')")
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(({ href }) => href !== address)
    expect(await programOf(new URL(page.url()).hash)).toBe("console.log('typed')")
  })

  test('is in the address when an example is selected before the delay after typing', async () => {
    const { page, output } = playground
    await playground.run('')
    await page.locator('.cm-content').click()
    await page.keyboard.insertText("console.log('typed')")
    await page.getByLabel('Example').selectOption('levels')
    expect(await output()).toMatch(/cache warmed/)
    expect(new URL(page.url()).hash).toBe('#example=levels')
  })

  test.each([
    ['the skip link', (page: Page) => page.getByText('Skip to content').press('Enter'), '#VPContent'],
    [
      'a link to a heading',
      (page: Page) => page.locator('h2 .header-anchor').first().press('Enter'),
      '#redaction-tester',
    ],
  ])('is kept when %s changes the fragment', async (_, follow, fragment) => {
    const { page, output } = playground
    await playground.run("console.log('kept')")
    await follow(page)
    await page.waitForURL(({ hash }) => hash === fragment)
    await page.getByRole('button', { name: 'Run' }).click()
    expect(await output()).toBe('console.log kept')
    expect(await page.locator('.cm-content').innerText()).toBe("console.log('kept')")
  })

  test('is replaced when the fragment changes to another program', async () => {
    const { page } = playground
    await playground.run("console.log('first')")
    await page.evaluate(`location.hash = '${await fragmentOf("console.log('second')")}'`)
    await page.locator('.records').getByText('second').waitFor()
    expect(await page.locator('.cm-content').innerText()).toBe("console.log('second')")
  })

  test('is the first example if the link is damaged', async () => {
    const { page, output, close } = await openPlayground(browser, site, '#code=AAAA')
    expect(await output()).toMatch(/order 42 placed/)
    await page.getByText('The program in the link is damaged or too long. This is the first example.').waitFor()
    await close()
  })
})

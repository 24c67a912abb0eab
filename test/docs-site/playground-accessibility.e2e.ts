import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { axeProblems } from '../viewer/page/axe-problems.ts'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openPlayground, type OpenPlayground } from './playground/open-playground.ts'
import { serveSite, type ServedSite } from './serve-site.ts'

let browser: Browser
let site: ServedSite

beforeAll(async () => {
  site = await serveSite()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  site.close()
})

describe.each(['light', 'dark'] as const)('with the %s colors', (colorScheme) => {
  let playground: OpenPlayground
  beforeAll(async () => {
    playground = await openPlayground(browser, site, '', { colorScheme })
  })
  afterAll(() => playground.close())

  const allColors = `import { createLogger } from 'sluice'
// a comment
const log = createLogger({ name: 'shop', level: 'trace', redact: ['pin'] })
for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) log[level]('level', { level, pin: 1, n: 1.5, is: true, no: null })
log.error('failed', new Error('reason', { cause: new TypeError('cause') }))
log.info({ 'http.request.method': 'GET', 'url.path': '/', 'http.response.status_code': 500 })
console.log('text')
null.x`

  test.each(['Pretty', 'JSON lines', 'OTLP/JSON', 'Redaction'] as const)(
    'axe finds no problem in the view %s with an error and all colors',
    async (view) => {
      await playground.run(allColors)
      await playground.select(view)
      expect(await axeProblems(playground.page, 'main')).toEqual([])
    },
  )

  test('axe finds no problem in a stopped program and in invalid rules', async () => {
    const { page, run } = playground
    await run('while (true) {}')
    await page.getByLabel('Rules').fill('{')
    await page.locator('[aria-invalid=true]').waitFor()
    expect(await axeProblems(page, 'main')).toEqual([])
  })
})

test('the keyboard reaches the controls in the order in which they are shown', async () => {
  const { page, close } = await openPlayground(browser, site)
  await page.getByLabel('Example').focus()
  const names: string[] = []
  while (names.at(-1) !== 'Redaction result' && names.length < 20) {
    names.push(
      await page.evaluate<string>(
        `(({ activeElement: element }) => element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent.trim() ?? element.textContent.trim())(document)`,
      ),
    )
    if (names.at(-1) === 'Program') await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
  }
  expect(names.map((name) => name.replace(/^(Example).*/s, '$1'))).toEqual([
    'Example',
    'Run',
    'Copy link',
    'Program',
    'Pretty',
    'Output',
    'layouts',
    'terminal output',
    'Permalink to "Redaction tester"',
    'redact',
    'explainRedaction',
    'Rules: the option redact',
    'Sample: attributes, or a message in quotes',
    'Redaction result',
  ])
  await close()
})

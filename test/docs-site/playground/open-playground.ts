import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { fragmentOf } from '../../../docs/site/.vitepress/playground/program-link.ts'
import type { ServedSite } from '../serve-site.ts'

/** The playground in a tab of a browser. */
export interface OpenPlayground {
  readonly page: Page
  /** What a page must not do: throw, write to the console, open a dialog, or request anything from another host. */
  readonly violations: readonly string[]
  /** Runs a program by opening its link, and waits until the run has ended. Returns the text of the output. */
  run(code: string): Promise<string>
  /** Selects a view of the output. */
  select(view: 'Pretty' | 'JSON lines' | 'OTLP/JSON' | 'Redaction'): Promise<void>
  /** Returns the text of the output when the run has ended. */
  output(): Promise<string>
  close(): Promise<void>
}

/** Opens the playground. */
export async function openPlayground(
  browser: Browser,
  site: ServedSite,
  fragment = '',
  options: BrowserContextOptions = {},
): Promise<OpenPlayground> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const violations: string[] = []
  page.on('pageerror', ({ message }) => violations.push(message))
  page.on('console', (message) => {
    // Requests that are blocked are reported there.
    if (!message.text().includes('Content Security Policy')) violations.push(`console: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    violations.push(dialog.message())
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(site.url) && !url.startsWith('blob:')) violations.push(`request to ${url}`)
  })
  await open(fragment)

  async function open(fragment: string): Promise<void> {
    // Another fragment of the same page would not load it again.
    await page.goto('about:blank')
    await page.goto(`${site.url}/playground.html${fragment}`)
    await page.locator('.cm-content').waitFor()
  }

  async function output(): Promise<string> {
    const region = page.locator('.records[aria-busy=false]')
    await region.waitFor()
    return region.innerText()
  }
  const close = () => context.close()
  return {
    page,
    violations,
    output,
    close,
    async run(code) {
      await open(await fragmentOf(code))
      return output()
    },
    async select(view) {
      await page.getByRole('radio', { name: view }).check({ force: true })
      await output()
    },
  }
}

import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core'
import { serveSite } from './serve-site.ts'

/** The built site, open in Chromium. */
export interface OpenSite {
  readonly url: string
  readonly page: Page
  /** What the open page must not do: write to the console, throw, or send a request to another host. */
  readonly violations: readonly string[]
  /** The responses since the site was opened. */
  readonly responses: readonly Response[]
  /** Opens a page, such as `/guides/redaction.html`, and waits until its scripts run. */
  open(path: string): Promise<void>
  close(): Promise<void>
}

/** Serves the built site and opens an empty page in the browser. */
export async function openSite(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenSite> {
  const { url, close } = await serveSite()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const violations: string[] = []
  const responses: Response[] = []
  page.on('response', (response) => responses.push(response))
  page.on('console', (message) => violations.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => violations.push(`error: ${error.message}`))
  page.on('request', (request) => {
    // Data and blobs are in the page.
    if (!request.url().startsWith(`${url}/`) && !/^(?:data|blob):/.test(request.url()))
      violations.push(`request: ${request.url()}`)
  })
  return {
    url,
    page,
    violations,
    responses,
    open: async (path) => {
      violations.length = 0
      await page.goto(url + path, { waitUntil: 'networkidle' })
    },
    close: async () => {
      await context.close()
      close()
    },
  }
}

/** Pages of each kind. */
export const samplePages: readonly string[] = [
  '/',
  '/getting-started.html',
  '/overview.html',
  '/guides/redaction.html',
  '/guides/comparison.html',
  '/guides/viewer.html',
  '/reference/options.html',
  '/reference/reliability.html',
  '/reference/opentelemetry.html',
  '/api/sluice.html',
  '/decisions/index.html',
  '/playground.html',
  '/benchmarks.html',
]

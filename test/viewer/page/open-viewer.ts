import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { PageFiles, type PageFile } from '../../../src/viewer/server/page-files.ts'
import { ViewerServer, type ViewerSettings } from '../../../src/viewer/server/viewer-server.ts'
import { requestOf, type TestRecord } from '../support.ts'

/** Starts the Chromium of Debian, or the one specified by `CHROMIUM`. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath() })
}

/** A browser that can be killed. */
export interface BrowserProcess {
  readonly browser: Browser
  /** Sends SIGKILL to all of its processes. */
  kill(): Promise<void>
}

/** Starts the same browser so that it can be killed. */
export async function launchChromiumProcess(): Promise<BrowserProcess> {
  const server = await chromium.launchServer({ executablePath: chromiumPath() })
  return { browser: await chromium.connect(server.wsEndpoint()), kill: () => server.kill() }
}

function chromiumPath(): string {
  const path = process.env['CHROMIUM'] ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
  if (path === undefined)
    throw new Error('Chromium is missing: apt-get install chromium-headless-shell, or set CHROMIUM')
  return path
}

const folder = new URL('../../../src/viewer/page/', import.meta.url)

function file(name: string, type: string): PageFile {
  return { type, content: readFileSync(new URL(name, folder), 'utf8') }
}

/** Returns the files of the page, built from source. */
export function builtPageFiles(): PageFiles {
  return new PageFiles(
    new Map([
      ['/', file('index.html', 'text/html; charset=utf-8')],
      ['/page.js', { type: 'text/javascript; charset=utf-8', content: pageScript() }],
      ['/page.css', file('page.css', 'text/css; charset=utf-8')],
      ['/icon.svg', file('icon.svg', 'image/svg+xml')],
    ]),
  )
}

/** Returns the code of the page. The bundler does not work in the environment of Jest, so it runs in another process. */
export function pageScript(): string {
  const program = `import { viewerPageScript } from './scripts/build-viewer-page.ts'
    process.stdout.write(await viewerPageScript())`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('../../../', import.meta.url),
    encoding: 'utf8',
  })
}

/** A viewer whose page is open in Chromium. */
export interface OpenViewer {
  readonly server: ViewerServer
  readonly url: string
  readonly page: Page
  /** Everything that a page must not do: write to the console, throw, open a dialog, send requests to another server. */
  readonly violations: readonly string[]
  /** Sends records by OTLP, as the official exporter does. */
  send(records: readonly TestRecord[]): Promise<void>
  /** Sends spans by OTLP/JSON. */
  sendSpans(service: string, spans: readonly object[]): Promise<void>
  /** Opens the page again, at an address such as `/?level=error`. */
  open(address: string): Promise<void>
  close(): Promise<void>
}

/** Starts a viewer and opens its page. */
export async function openViewer(
  browser: Browser,
  files: PageFiles,
  options: BrowserContextOptions = {},
  settings: Partial<ViewerSettings> = {},
): Promise<OpenViewer> {
  const server = new ViewerServer({
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    maxBytes: 256_000_000,
    page: files,
    ...settings,
  })
  const url = `http://127.0.0.1:${await server.listen()}`
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const violations = violationsOf(page, url)
  await page.goto(`${url}/`)
  await page.getByText('connected', { exact: false }).first().waitFor()
  const post = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> => {
    const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  }
  return {
    server,
    url,
    page,
    violations,
    send: async (records) => post('/v1/logs', 'application/x-protobuf', Uint8Array.from(requestOf(records))),
    sendSpans: async (service, spans) => {
      const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
      await post(
        '/v1/traces',
        'application/json',
        JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }),
      )
    },
    open: async (address) => {
      await page.goto(url + address)
      // A filter that cannot be applied has no connection.
      await page.getByText(/● connected|○ the filter cannot be applied/).waitFor()
    },
    close: async () => {
      await context.close()
      server.close()
    },
  }
}

function violationsOf(page: Page, url: string): string[] {
  const violations: string[] = []
  page.on('console', (message) => {
    // A response with an error, such as that for a query that is not complete yet.
    if (!message.text().startsWith('Failed to load resource')) violations.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => violations.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    violations.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => violations.push(`popup: ${popup.url()}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) violations.push(`request: ${request.url()}`)
  })
  return violations
}

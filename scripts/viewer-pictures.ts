// Takes pictures of the viewer in Chromium.
//   node scripts/viewer-pictures.ts --update              writes those of the documentation to docs/pictures
//   node scripts/viewer-pictures.ts --compare <directory> writes pictures of all views, widths and colors
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { LogDatabase } from '../src/viewer/database/log-database.ts'
import { PageFiles, type PageFile } from '../src/viewer/server/page-files.ts'
import { ViewerServer } from '../src/viewer/server/viewer-server.ts'
import { viewerPageScript } from './build-viewer-page.ts'
import { failedRecord, logsRequest, recordCount, timeOf, tracesRequest, traceOf } from './viewer-pictures/shop-logs.ts'

interface View {
  readonly address: string
  /** What must be visible. */
  readonly selector: string
  /** Keys that are pressed when it is. */
  readonly keys?: readonly string[]
  readonly isEmpty?: boolean
  /** Whether the viewer has a database, and memory for the newest records only. */
  readonly hasDatabase?: boolean
}

const errors = 'level=error&q=duration_ms%3E100+or+exists%28exception.type%29'

const views: Readonly<Record<string, View>> = {
  empty: { address: '/', selector: '.empty', isEmpty: true },
  list: { address: '/', selector: '.list .row .text' },
  record: { address: `/?${errors}`, selector: '.list .row .text', keys: Array.from({ length: 9 }, () => 'k') },
  trace: { address: `/?open=${traceOf(failedRecord)}`, selector: '.trace-rows .row' },
  templates: { address: '/?panel=templates', selector: '.templates td' },
  older: { address: '/?panel=older&level=warn&level=error', selector: '.templates td', hasDatabase: true },
  zoom: { address: `/?from=${timeOf(5_000)}&until=${timeOf(5_400)}&time=delta`, selector: '.list .row .text' },
  completions: { address: '/', selector: '.list .row .text', keys: ['/', 't', 'e', 'n', 'a', 'n', 't', '='] },
  problem: { address: '/?q=level%3E%3Dwarn+and+and+tenant%3Dacme', selector: '.problem' },
  help: { address: '/', selector: '.list .row .text', keys: ['?'] },
}

/** The pictures in the documentation, in both color schemes. */
const documented = ['empty', 'list', 'record', 'trace', 'templates'] as const
const schemes = ['light', 'dark'] as const
const sizes = [
  { width: 2560, height: 1300 },
  { width: 1440, height: 860 },
  { width: 768, height: 900 },
  { width: 390, height: 780 },
] as const
const documentedSize = { width: 1200, height: 680 }

const [mode, directory] = process.argv.slice(2)
const executablePath =
  process.env['CHROMIUM'] ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
if (executablePath === undefined) throw new Error('install chromium-headless-shell, or set CHROMIUM')
const browser = await chromium.launch({ executablePath })
if (mode === '--update') await update(browser, new URL('../docs/pictures/', import.meta.url).pathname)
else if (mode === '--compare') await compare(browser, directory ?? 'temp/viewer-pictures')
else throw new Error('write --update or --compare <directory>')
await browser.close()

async function update(browser: Browser, folder: string): Promise<void> {
  const server = await startViewer()
  for (const name of documented) {
    // The empty page is the first one.
    if (views[name]!.isEmpty !== true) await server.fill()
    for (const scheme of schemes)
      await take(browser, server.url, name, scheme, documentedSize, `${folder}viewer-${name}-${scheme}.webp`)
  }
  server.close()
}

async function compare(browser: Browser, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const [server, withDatabase] = [await startViewer(), await startViewer(true)]
  const names = Object.keys(views).toSorted(
    (a, b) => Number(views[b]!.isEmpty ?? false) - Number(views[a]!.isEmpty ?? false),
  )
  for (const name of names) {
    const { isEmpty = false, hasDatabase = false } = views[name]!
    const viewer = hasDatabase ? withDatabase : server
    if (!isEmpty) await viewer.fill()
    for (const scheme of schemes)
      for (const size of sizes)
        await take(browser, viewer.url, name, scheme, size, `${folder}/${name}-${size.width}-${scheme}.png`)
  }
  server.close()
  withDatabase.close()
}

async function take(
  browser: Browser,
  url: string,
  name: string,
  colorScheme: 'light' | 'dark',
  viewport: { readonly width: number; readonly height: number },
  path: string,
): Promise<void> {
  const { address, selector, keys = [] } = views[name]!
  const page = await browser.newPage({ viewport, colorScheme, timezoneId: 'UTC', reducedMotion: 'reduce' })
  await page.goto(url + address)
  await page.locator(selector).first().waitFor()
  for (const key of keys) await page.keyboard.press(key)
  await settle(page)
  // WebP is a third of PNG, which other programs can read.
  const session = await page.context().newCDPSession(page)
  const format = path.endsWith('.png') ? 'png' : 'webp'
  const { data } = await session.send('Page.captureScreenshot', { format, ...(format === 'webp' && { quality: 80 }) })
  writeFileSync(path, Buffer.from(data, 'base64'))
  await page.close()
}

/** Waits until the view is complete: its records were searched, and its times counted. */
async function settle(page: Page): Promise<void> {
  await page.locator('.status', { hasNotText: 'to search' }).waitFor()
  await page.waitForTimeout(600)
}

interface StartedViewer {
  readonly url: string
  /** Sends the records, once. */
  fill(): Promise<void>
  close(): void
}

async function startViewer(hasDatabase = false): Promise<StartedViewer> {
  const files = new Map<string, PageFile>([
    ['/', { type: 'text/html; charset=utf-8', content: pageFile('index.html') }],
    ['/page.css', { type: 'text/css', content: pageFile('page.css') }],
    ['/icon.svg', { type: 'image/svg+xml', content: pageFile('icon.svg') }],
    ['/page.js', { type: 'text/javascript', content: await viewerPageScript() }],
  ])
  const databaseFolder = mkdtempSync(join(tmpdir(), 'viewer-pictures-'))
  const server = new ViewerServer({
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    maxBytes: hasDatabase ? 2_000_000 : 256_000_000,
    database: hasDatabase ? new LogDatabase(join(databaseFolder, 'logs.db'), 256_000_000) : undefined,
    page: new PageFiles(files),
  })
  const url = `http://127.0.0.1:${await server.listen()}`
  const post = async (signal: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> => {
    const response = await fetch(`${url}/v1/${signal}`, { method: 'POST', headers: { 'content-type': type }, body })
    if (!response.ok) throw new Error(await response.text())
  }
  let isFilled = false
  return {
    url,
    fill: async () => {
      if (isFilled) return
      isFilled = true
      for (let from = 0; from < recordCount; from += 500)
        await post('logs', 'application/x-protobuf', logsRequest(from, from + 500))
      await post('traces', 'application/json', tracesRequest(failedRecord))
    },
    close: () => {
      server.close()
      rmSync(databaseFolder, { recursive: true })
    },
  }
}

function pageFile(name: string): string {
  return readFileSync(new URL(`../src/viewer/page/${name}`, import.meta.url), 'utf8')
}

import { writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { ViewerServer } from '../../../src/viewer/server/viewer-server.ts'
import { addLogsRequest } from '../../../src/viewer/otlp/add-logs.ts'
import { inDirectory } from '../database/support.ts'
import { launchChromium } from '../page/open-viewer.ts'
import { requestOf, type TestRecord } from '../support.ts'

let server: ViewerServer
let url: string

beforeAll(async () => {
  server = new ViewerServer({
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    maxBytes: 64_000_000,
    page: new PageFiles(new Map()),
  })
  url = `http://127.0.0.1:${await server.listen()}`
})
afterAll(() => server.close())

function add(records: readonly TestRecord[]): void {
  addLogsRequest(server.logs, requestOf(records), Date.now())
}

/** Requests an export without reading it. */
async function request(parameters: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${url}/api/export?${parameters}`, resolve).on('error', reject)
  })
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const secret = 'Bearer hunter2hunter2hunter2hunter2'
const hostile = `<script>document.title='hacked'</script><img src=x onerror="document.title='hacked'"><style>*{display:none}</style>`

describe('GET /api/export', () => {
  it.each([
    ['otlp', /^application\/x-ndjson$/, /^attachment; filename="records-[\d-]+T[\d-]+Z\.jsonl"$/],
    ['text', /^text\/plain/, /\.log"$/],
    ['html', /^text\/html/, /\.html"$/],
  ])('sends the selection as %s, without secrets if it is requested', async (format, type, disposition) => {
    add([
      { body: `refused ${secret}`, severityNumber: 17, attributes: { kind: `a${format}` } },
      { body: 'other', attributes: { kind: 'b' } },
    ])
    const response = await request(`format=${format}&q=kind%3Da${format}`)
    const text = await bodyOf(response)
    expect(response.headers['content-type']).toMatch(type)
    expect(response.headers['content-disposition']).toMatch(disposition)
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.trailers).toMatchObject({ 'sluice-removed-records': '0' })
    expect(text).toContain('hunter2')
    expect(text).not.toContain('other')
    const redacted = await bodyOf(await request(`format=${format}&redact=credentials,jwt,card,email`))
    expect(redacted).toContain('refused')
    expect(redacted).not.toContain('hunter2')
  })

  it.each([
    ['format=pdf', /'pdf' is not one of otlp, text, html/],
    ['redact=secrets', /'secrets' is not one of /],
    ['q=%28', /.*/],
  ])('refuses %s', async (parameters, message) => {
    const response = await request(parameters)
    expect(response.statusCode).toBe(400)
    expect((JSON.parse(await bodyOf(response)) as { error: string }).error).toMatch(message)
  })

  it('waits for a slow client with bounded memory, answers others meanwhile, and counts what was removed', async () => {
    const count = 150_000
    const records = Array.from({ length: 1_000 }, (_, index) => ({
      time: 1 + index,
      body: `slow ${index} ${'x'.repeat(180)}`,
    }))
    for (let at = 0; at < count; at += records.length) add(records)
    const { external } = process.memoryUsage()
    const response = await request('format=otlp')
    response.pause()
    await sleep(1_000)
    expect(process.memoryUsage().external - external).toBeLessThan(30_000_000)
    const other = await fetch(`${url}/api/telemetry/logs?limit=1`)
    expect(other.status).toBe(200)
    await other.arrayBuffer()
    // All records are replaced by others.
    const { firstSequence } = server.logs
    while (server.logs.firstSequence < firstSequence + count) add(records)
    const lines = (await bodyOf(response)).trimEnd().split('\n')
    const sent = lines.reduce((sum, line) => sum + line.split('"timeUnixNano"').length - 1, 0)
    expect(Number(response.trailers['sluice-removed-records'])).toBeGreaterThan(0)
    expect(sent + Number(response.trailers['sluice-removed-records'])).toBeGreaterThanOrEqual(count)
    for (const line of lines) JSON.parse(line)
  })

  it('stops when the client disconnects', async () => {
    const response = await request('format=html')
    response.destroy()
    const other = await fetch(`${url}/api/export?format=text&q=kind%3Db`)
    expect(other.status).toBe(200)
    await other.arrayBuffer()
  })

  it('sends a page that shows hostile records as text in a browser, and finds text in closed records', async () => {
    add([
      {
        time: Date.now(),
        body: hostile,
        severityNumber: 17,
        service: hostile,
        scope: hostile,
        attributes: { [hostile]: hostile, kind: 'hostile' },
      },
      {
        time: Date.now(),
        body: 'payment failed',
        severityNumber: 13,
        attributes: { kind: 'hostile', 'exception.stacktrace': 'Error: no\n    at pay (/a.js:1:1)' },
      },
      { time: Date.now(), body: 'paid', severityNumber: 9, attributes: { kind: 'hostile', order: { id: 7 } } },
    ])
    const html = await bodyOf(await request('format=html&q=kind%3Dhostile'))
    await inDirectory(async (directory) => {
      const file = join(directory, 'records.html')
      writeFileSync(file, html)
      const browser = await launchChromium()
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ viewport: { width: 1000, height: 500 }, colorScheme })
        const requests: string[] = []
        const messages: string[] = []
        page.on('request', (each) => requests.push(each.url()))
        page.on('console', (message) => messages.push(message.text()))
        await page.goto(pathToFileURL(file).href)
        expect(await page.title()).toBe('Log records')
        // The style of the page is used, and no other one.
        const titleSize = `getComputedStyle(document.querySelector('h1')).fontSize`
        expect([await page.evaluate(titleSize), messages]).toEqual(['16px', []])
        await page.addStyleTag({ content: 'h1{font-size:99px}' }).catch(() => undefined)
        expect(await page.evaluate(titleSize)).toBe('16px')
        messages.length = 0
        expect(await page.locator('script, img, iframe, object, link').count()).toBe(0)
        await page.getByText('payment failed').click()
        await page.getByText('at pay (/a.js:1:1)').waitFor()
        expect(await page.locator('summary').count()).toBe(3)
        expect(requests).toEqual([pathToFileURL(file).href])
        expect(messages).toEqual([])
        const shots = process.env['SHOTS']
        if (shots !== undefined) await page.screenshot({ path: join(shots, `export-${colorScheme}.png`) })
        await page.close()
      }
      await browser.close()
    })
  })
})

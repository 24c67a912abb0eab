import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../viewer/page/open-viewer.ts'
import { openPlayground, type OpenPlayground } from './playground/open-playground.ts'
import { requestProgram, requestWorker, startInFrame } from './playground/request-attempts.ts'
import { serveSite, type ServedSite } from './serve-site.ts'

let browser: Browser
let site: ServedSite
let playground: OpenPlayground

beforeAll(async () => {
  site = await serveSite()
  browser = await launchChromium()
  playground = await openPlayground(browser, site)
})
afterAll(async () => {
  await browser.close()
  site.close()
})

const importLogger = "import { logger, createLogger } from 'sluice'\n"

describe('a program that does not end', () => {
  test.each([
    ['an endless loop', `${importLogger}logger.info('before')\nwhile (true) {}`, /before.*did not answer for 1 s/s],
    [
      'an endless loop of records',
      `${importLogger}for (;;) logger.info('again')`,
      /At least .* records are not shown.*did not answer/s,
    ],
    [
      'an endless loop of lines',
      "for (;;) console.log('again')",
      /lines of the console are not shown.*did not answer/s,
    ],
    ['an endless loop of microtasks', 'const f = () => Promise.resolve().then(f)\nf()', /did not answer for 1 s/],
    [
      'an interval',
      `${importLogger}setInterval(() => logger.info('tick'), 500)`,
      /tick.*stopped after 3 s: it has 1 timer/s,
    ],
    ['a promise that is never settled', 'await new Promise(() => {})', /stopped after 3 s: it awaits a promise/],
    ['a regular expression', "/^(a+)+$/.test('a'.repeat(60) + 'b')", /did not answer for 1 s/],
  ])('because of %s is stopped', async (_, code, expected) => {
    expect(await playground.run(code)).toMatch(expected)
  })
})

describe('output that is too long', () => {
  test.each([
    [
      'a million records',
      `${importLogger}for (let i = 0; i < 1e6; i++) logger.info('record {i}', { i })`,
      /record 0.*records are not shown/s,
    ],
    [
      'a string of 10 MB',
      `${importLogger}createLogger({ limits: { stringLength: 2e7, recordBytes: 4e7 } }).info('x'.repeat(1e7))`,
      /xxx… \(\d+ characters are not shown\)/,
    ],
    ['a line of 10 MB', "console.log('x'.repeat(1e7))", /xxx… \(\d+ characters are not shown\)/],
    ['many errors', 'for (let i = 0; i < 1e4; i++) Promise.reject(new Error("e" + i))', /Error: e0/],
    [
      'strings of built-in functions that were replaced',
      `${importLogger}const huge = 'x'.repeat(2e6)\nString.prototype.slice = () => huge\nfor (let i = 0; i < 50; i++) console.log('x'.repeat(3e4))`,
      /stopped, because it wrote too much output|not shown/,
    ],
  ])('is cut for %s', async (_, code, expected) => {
    const text = await playground.run(code)
    expect(text).toMatch(expected)
    expect(text.length).toBeLessThan(12_000_000)
    expect(await playground.page.locator('.records pre').count()).toBeLessThan(1_100)
  })
})

describe('a hostile program', () => {
  test('writes only text', async () => {
    const { page, run, select, violations } = playground
    await run(`${importLogger}
      const html = '<img src=x onerror=alert(1)><script>alert(2)</script>'
      createLogger({ redact: { paths: ['a'], censor: html } }).info(html, { [html]: html, a: 1 })
      console.log(html)
      throw new Error(html)`)
    for (const view of ['JSON lines', 'OTLP/JSON', 'Redaction', 'Pretty'] as const) {
      await select(view)
      expect(await page.locator('.records').innerText()).toContain('<script>')
      expect(await page.locator('.records :is(img, script)').count()).toBe(0)
    }
    expect(violations).toEqual([])
  })

  test.each([
    ['self.close()', /self\.close is not a function/],
    ['for (let i = 0; i < 1e6; i++) postMessage("x".repeat(1000))', /postMessage is not defined/],
    ['new Worker("data:text/javascript,1")', /Worker is not defined/],
    ['eval("1")', /Content Security Policy/],
    ['new Function("return 1")()', /Content Security Policy/],
    ['setTimeout("alert(1)")', /TypeError/],
    [`${importLogger}Object.prototype.x = 1\nArray.prototype.push = () => 0\nlogger.info('after')`, /after/],
    ['Object.defineProperty(Object.prototype, "kind", { get() { throw 1 } })\nconsole.log(1)', /1/],
    ['delete globalThis.Promise; globalThis.Map = null; console.log("after")', /after/],
    ['MessagePort.prototype.postMessage = () => {}; console.log("after")', /after/],
    ['throw { toString() { throw 1 }, get stack() { throw 2 } }', /cannot be converted to text/],
  ])('%j does not break the page', async (code, expected) => {
    expect(await playground.run(code)).toMatch(expected)
    expect(await playground.run("console.log('the next one')")).toMatch(/the next one/)
    expect(playground.violations).toEqual([])
  })
})

describe('requests', () => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*').end('export default 1')
  })
  collector.on('upgrade', (_, socket) => {
    received.push('upgrade')
    socket.destroy()
  })
  let target: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    target = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/leak`
  })
  afterAll(() => void collector.close())

  test('of the page itself reach the server of this test', async () => {
    await playground.page.evaluate(`fetch('${target}')`)
    expect(received.splice(0)).toEqual(['GET /leak'])
  })

  test('of a program fail in every way', async () => {
    const text = await playground.run(requestProgram(target))
    const lines = text.split('\n').filter((line) => line.startsWith('console.log'))
    expect(lines.filter((line) => !line.endsWith('failed'))).toEqual(['console.log globals fetch'])
    expect(lines).toHaveLength(10)
    expect(received).toEqual([])
  })

  // The policy is what protects: removed globals only make messages clear.
  test('of a worker that has all globals fail in every way', async () => {
    const outcomes = await playground.page.evaluate<string[]>(startInFrame(requestWorker, target))
    expect(outcomes).toHaveLength(10)
    expect(outcomes.filter((outcome) => !outcome.endsWith('failed'))).toEqual([])
    expect(received).toEqual([])
  })
})

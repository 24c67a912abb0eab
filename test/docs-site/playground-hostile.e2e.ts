import { describe, expect, test } from '@jest/globals'
import { openPlayground } from './playground/open-playground.ts'
import { usePlayground } from './playground/use-playground.ts'

const shared = usePlayground()

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
    [
      'an interval and a clock that was replaced',
      'performance.now = () => 0\nsetInterval(() => {}, 100)',
      /stopped, because it did not end/,
    ],
    ['a regular expression', "/^(a+)+$/.test('a'.repeat(60) + 'b')", /did not answer for 1 s/],
  ])('because of %s is stopped', async (_, code, expected) => {
    expect(await shared.playground.run(code)).toMatch(expected)
  })
})

test('the page reports a worker that does not start, for a program and for a test of rules', async () => {
  const { page, output, close } = await openPlayground(shared.browser, shared.site)
  const frame = page.locator('iframe')
  await output()
  await page.waitForFunction("document.querySelector('iframe') === null")
  await page.addInitScript('delete globalThis.Worker')
  await page.clock.install()

  await page.getByRole('button', { name: 'Run' }).click()
  await frame.waitFor({ state: 'attached' })
  await page.clock.runFor(25_000)
  const note = page.locator('.records .note')
  await note.waitFor()
  expect(await note.innerText()).toBe('The program could not be started. Reload the page.')

  await page.getByLabel('Rules').fill("['pin']")
  await page.clock.runFor(1_000)
  await frame.waitFor({ state: 'attached' })
  await page.clock.runFor(25_000)
  const status = page.locator('.redaction-tester').getByRole('status')
  await status.getByText('could not').waitFor()
  expect(await status.innerText()).toBe('The test could not be started. Reload the page.')
  await close()
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
      'a line of 11 MB by built-in functions that were replaced',
      "const huge = 'x'.repeat(1.1e7)\nString.prototype.slice = () => huge\nconsole.log('x'.repeat(3e4))",
      /^The program was stopped, because it wrote too much output\.$/,
    ],
    [
      'an error of 11 MB by built-in functions that were replaced',
      "const huge = 'x'.repeat(1.1e7)\nString.prototype.slice = () => huge\nthrow new Error('x'.repeat(3e4))",
      /^The program was stopped, because it wrote too much output\.$/,
    ],
  ])('is cut for %s', async (_, code, expected) => {
    const text = await shared.playground.run(code)
    expect(text).toMatch(expected)
    expect(text.length).toBeLessThan(5_000_000)
    expect(await shared.playground.page.locator('.records pre').count()).toBeLessThan(1_100)
  })

  test('is cut for many redacted values', async () => {
    const { page, run, select } = shared.playground
    await run(`${importLogger}const log = createLogger({ redact: ['list[*]'] })
      for (let i = 0; i < 2; i++) log.info({ list: Array.from({ length: 1_500 }, () => 1) })`)
    await select('Redaction')
    expect(await page.locator('.records tbody tr').count()).toBe(1_000)
    expect(await page.locator('.records .note').allInnerTexts()).toEqual([
      '500 redacted values are not shown, because there are too many.',
      '1,500 redacted values are not shown, because there are too many.',
    ])
    await select('Pretty')
  })
})

describe('a hostile program', () => {
  test('writes only text', async () => {
    const { page, run, select, violations } = shared.playground
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
    expect(await shared.playground.run(code)).toMatch(expected)
    expect(await shared.playground.run("console.log('the next one')")).toMatch(/the next one/)
    expect(shared.playground.violations).toEqual([])
  })
})

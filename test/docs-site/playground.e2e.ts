import { describe, expect, test } from '@jest/globals'
import { exampleTitles } from '../../docs/site/.vitepress/playground/examples.ts'
import { openPlayground } from './playground/open-playground.ts'
import { usePlayground } from './playground/use-playground.ts'

const shared = usePlayground()

/** What each example writes. */
const expectedOutput: Readonly<Record<keyof typeof exampleTitles, RegExp>> = {
  messages: /INFO +\[checkout\] order 42 placed by Ann.*payment took 1240 ms.*socks.*done/s,
  levels: /DEBUG.*cache warmed.*WARN.*91.*GET \/cart.*r-17.*ERROR.*\[payments\] card declined.*console\.log false/s,
  errors: /ERROR.*request failed.*order 42 could not be loaded.*program\.js:\d+.*ECONNREFUSED.*two jobs failed/s,
  'redact-paths': /Ann, ssn: "\[REDACTED\]".*cookie: "\[REDACTED\]".*remember: true/s,
  'redact-patterns': /mail to \[REDACTED\] about ORD-….*api_key=\[REDACTED\]&page=2.*card \[REDACTED\]/s,
  'hostile-values': /Circular.*12345678901234567890.*Threw.*state: new.*<script>alert/s,
  'lazy-calls': /^console\.log computing the report\n.*DEBUG.*cache report.*rows=3/s,
  volume: /attempt=0.*job 1 done.*job 3 done.*repeated 9,999 times.*"limit": 1996/s,
  'custom-handler': /GET \/cart.*WARN.*GET \/search.*slow=true/s,
  'flight-recorder': /placed.*checking the stock for 0 items.*an order without items/s,
  timers: /job 1 done.*job 3 done.*last/s,
}

test.each(Object.entries(expectedOutput))('the example %s runs without errors', async (name, expected) => {
  const { page, output, violations } = await openPlayground(shared.browser, shared.site, `#example=${name}`)
  expect(await output()).toMatch(expected)
  expect(await page.getByLabel('Example').inputValue()).toBe(name)
  expect(await page.locator('.program-error, .records .note').count()).toBe(0)
  expect(violations).toEqual([])
  await page.context().close()
})

describe('a program', () => {
  test('is shown in each layout, as OTLP and with what was redacted', async () => {
    const { page, run, select } = shared.playground
    await run(`import { createLogger } from 'sluice/core'
      createLogger({ redact: ['pin'] }).info('hello {name}', { name: 'Ann', pin: 1, get n() { console.log('read'); return 2 } })`)
    await select('JSON lines')
    const lines: Record<string, Record<string, unknown>> = {}
    for (const layout of ['sluice', 'otel', 'pino', 'gcp', 'ecs', 'datadog']) {
      await page.getByLabel('Layout').selectOption(layout)
      lines[layout] = JSON.parse(await page.locator('.records pre:not(.console-line)').innerText()) as Record<
        string,
        unknown
      >
    }
    // The getter runs once, although the record is written in eight formats.
    expect(await page.locator('.console-line').count()).toBe(1)
    expect(lines['sluice']).toMatchObject({ message: 'hello Ann', attributes: { pin: '[REDACTED]', n: 2 } })
    expect(lines['otel']).toHaveProperty('body')
    expect(lines['pino']).toMatchObject({ level: 30, msg: 'hello Ann' })
    expect(lines['gcp']).toHaveProperty('severity', 'INFO')
    expect(lines['ecs']).toHaveProperty('@timestamp')
    expect(lines['datadog']).toHaveProperty('status', 'info')
    await select('OTLP/JSON')
    expect(JSON.parse(await page.locator('.records pre:not(.console-line)').innerText())).toHaveProperty('resourceLogs')
    await select('Redaction')
    expect(await page.locator('.records caption').allInnerTexts()).toEqual(['1: hello Ann'])
    expect(await page.locator('.records tbody tr').allInnerTexts()).toEqual(['pin\tpaths: pin\t[REDACTED]'])
    await select('Pretty')
  })

  test('can import every module of the playground', async () => {
    const text = await shared.playground.run(`import { logger, defineEvent, ConfigurationError } from 'sluice'
      import * as core from 'sluice/core'
      import { dedupe } from 'sluice/handlers'
      import { explainRedaction } from 'sluice/testing'
      const { limit } = await import('sluice/handlers')
      console.log(typeof core.createLogger, typeof dedupe, typeof limit, explainRedaction(['a'], { a: 1 }).length)
      try { core.createLogger({ levle: 'info' }) } catch (error) { console.log(error instanceof ConfigurationError) }
      logger.info('end')`)
    expect(text).toMatch(/function function function 1\n+console\.log true\n.*end/)
  })

  test.each([
    ['a syntax error', 'const a = 1\nconst b = (\n', /Unexpected token/, 'Line 3, column 1'],
    ['an unknown import', "\nimport { fdExporter } from 'sluice'", /has no export 'fdExporter'/, 'Line 2, column 10'],
    ['an exception', 'const a = null\n\na.b', /TypeError: Cannot read properties of null/, 'Line 3, column 3'],
    ['a rejection', 'Promise.reject(new Error("late"))\n', /Error: late/, 'Line 1, column 16'],
    [
      'an exception in a timer',
      'setTimeout(() => {\n  throw new RangeError("timer")\n})',
      /RangeError: timer/,
      'Line 2, column 9',
    ],
    [
      'an invalid option',
      "import { createLogger } from 'sluice'\ncreateLogger({ redact: { path: [] } })",
      /redact\.path: unknown option; did you mean/,
      'Line 2, column 1',
    ],
  ])('with %s shows it with its line', async (_, code, message, position) => {
    const { page, run } = shared.playground
    expect(await run(code)).toMatch(message)
    const button = page.locator('.program-error button')
    expect(await button.innerText()).toBe(position)
    await button.click()
    expect(await page.evaluate("document.activeElement.className.includes('cm-content')")).toBe(true)
  })

  test('runs with Ctrl+Enter, and Tab leaves the editor after Escape', async () => {
    const { page, run, output } = shared.playground
    await run("console.log('now', Math.random())")
    const before = await output()
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+Enter')
    await page.locator('.console-line', { hasNotText: before }).waitFor()
    await page.keyboard.press('Tab')
    const isInEditor = "document.activeElement.className.includes('cm-content')"
    expect(await page.evaluate(isInEditor)).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(isInEditor)).toBe(false)
  })
})

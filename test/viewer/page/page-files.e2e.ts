import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { waitUntil } from '../../support/wait-until.ts'
import { builtPageFiles, launchChromium, openViewer, pageScript } from './open-viewer.ts'
import { shopRecords, traceId } from './shop-records.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

const maxBytes = 60_000

test('the page has at most 60 kB when it is compressed', () => {
  const names = ['index.html', 'page.css', 'icon.svg']
  const files = names.map((name) => readFileSync(new URL(`../../../src/viewer/page/${name}`, import.meta.url)))
  const bytes = [...files, Buffer.from(pageScript())].reduce((sum, file) => sum + gzipSync(file).length, 0)
  expect(bytes).toBeLessThan(maxBytes)
})

test('the page is opened and used without a request to another server and without a violation of its policy', async () => {
  const viewer = await openViewer(browser, builtPageFiles())
  const { page } = viewer
  await page.addInitScript(`
    globalThis.policyViolations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      policyViolations.push(violatedDirective + ' ' + blockedURI))
  `)
  await viewer.send(shopRecords)
  for (const address of ['/', '/?record=21', `/?open=${traceId}`, '/?panel=templates&time=delta']) {
    await viewer.open(address)
    await page.locator('.list .row, .templates td').first().waitFor()
    expect(await page.evaluate<string[]>('policyViolations')).toEqual([])
  }
  // A style in the markup would be a violation, so the event is received.
  await page.evaluate<void>(`document.body.insertAdjacentHTML('beforeend', '<p style="color: red">')`)
  await waitUntil(async () => page.evaluate<boolean>('policyViolations.length > 0'))
  expect(viewer.violations.filter((violation) => !violation.includes('Content Security Policy'))).toEqual([])
  await viewer.close()
})

test('the policy allows neither code nor styles in the markup, nor other servers', async () => {
  const viewer = await openViewer(browser, builtPageFiles())
  const policy = (await fetch(`${viewer.url}/`)).headers.get('content-security-policy')!
  await viewer.close()
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|http|\*|data:|blob:/)
})

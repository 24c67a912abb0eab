import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import type { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { TestRecord } from '../support.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { newRows, rowsShown, scrollList, selectedText, statusText } from './page-parts.ts'

let browser: Browser
let files: PageFiles
let viewer: OpenViewer

beforeAll(async () => {
  browser = await launchChromium()
  files = builtPageFiles()
})
afterAll(() => browser.close())
beforeEach(async () => {
  viewer = await openViewer(browser, files)
})
afterEach(async () => {
  await viewer.close()
  expect(viewer.violations).toEqual([])
})

const start = Date.UTC(2026, 0, 2, 3, 4, 5)

function records(from: number, until: number): TestRecord[] {
  return Array.from({ length: until - from }, (_, at) => ({
    time: start + (from + at) * 250,
    severityNumber: 9,
    body: `record ${from + at} of the list`,
  }))
}

test('the page names the address for exporters while there are no records', async () => {
  const text = await viewer.page.locator('.empty').innerText()
  expect(text).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${viewer.url}`)
})

describe('live tail', () => {
  test('the list shows new records at its end as they arrive', async () => {
    await viewer.send(records(0, 200))
    await viewer.page.getByText('record 199 of the list').waitFor()
    await viewer.send(records(200, 300))
    await viewer.page.getByText('record 299 of the list').waitFor()
    expect(await newRows(viewer.page)).toBe('')
  })

  test('a list that is paused stays where it is, counts new records, and continues with a click', async () => {
    const { page } = viewer
    await viewer.send(records(0, 200))
    await page.getByText('record 199 of the list').waitFor()
    // The list has its final height when the bars are there.
    await page.locator('.timeline svg').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    const before = await rowsShown(page)
    await viewer.send(records(200, 1_434))
    await page.getByRole('button', { name: '1,234 new' }).waitFor()
    expect(await rowsShown(page)).toEqual(before)
    await page.getByRole('button', { name: '1,234 new' }).click()
    await page.getByText('record 1433 of the list').waitFor()
    expect(await newRows(page)).toBe('')
  })

  test('the number of new records counts only those that match the filter', async () => {
    const { page } = viewer
    await viewer.send(records(0, 200))
    await page.getByText('record 199 of the list').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.locator('#query').fill('message ~ /record \\d*5 of/')
    await waitUntil(async () => (await statusText(page)).includes('20 of 200 records'))
    await viewer.send(records(200, 300))
    await page.getByRole('button', { name: '10 new' }).waitFor()
  })

  test('scrolling up pauses the list, and scrolling to its end follows again', async () => {
    const { page } = viewer
    await viewer.send(records(0, 400))
    await page.getByText('record 399 of the list').waitFor()
    await scrollList(page, 0.5)
    await page.getByRole('button', { name: 'Follow' }).waitFor()
    await scrollList(page, 1)
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await viewer.send(records(400, 500))
    await page.getByText('record 499 of the list').waitFor()
  })

  test('rows that are read stay in place while earlier records arrive', async () => {
    const { page } = viewer
    await viewer.send(records(500, 1_500))
    await page.getByText('record 1499 of the list').waitFor()
    await scrollList(page, 0.4)
    await page.getByText('record 897 of the list').waitFor()
    const before = await rowsShown(page)
    await viewer.send(records(0, 300))
    await waitUntil(async () => (await statusText(page)).includes('1,300 records'))
    expect(await rowsShown(page)).toEqual(before)
  })

  test('a record that is selected stays selected, and the next key moves from its new position', async () => {
    const { page } = viewer
    await viewer.send(records(500, 600))
    await page.getByText('record 599 of the list').waitFor()
    await page.getByText('record 590 of the list').click()
    await viewer.send(records(0, 300))
    await waitUntil(async () => (await statusText(page)).includes('400 records'))
    expect(await selectedText(page)).toContain('record 590')
    await page.keyboard.press('j')
    await waitUntil(async () => (await selectedText(page)).includes('record 591'))
  })
})

describe('times', () => {
  test.each([
    ['absolute', /^\d\d:\d\d:\d\d\.250$/],
    ['relative', /^\d+\.\d d ago$/],
    ['delta', /^\+250 ms$/],
  ])('times are shown as %s ones', async (style, pattern) => {
    const { page } = viewer
    await viewer.send(records(0, 6))
    await page.getByLabel('Times').selectOption(style)
    const time = page.locator('.row', { hasText: 'record 5 of' }).locator('.time')
    await waitUntil(async () => pattern.test(await time.innerText()))
    expect(new URL(page.url()).searchParams.get('time')).toBe(style === 'absolute' ? null : style)
  })
})

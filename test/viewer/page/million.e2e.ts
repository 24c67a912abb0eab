import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { addLogsRequest } from '../../../src/viewer/otlp/add-logs.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { requestOf } from '../support.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { newRows, rowsShown, scrollList, selectedText, statusText } from './page-parts.ts'

let browser: Browser
let viewer: OpenViewer
let page: Page

const batchRecords = 1_000
const total = 1_000_000

/** Returns the bytes of a request with the records of a batch, whose numbers have six digits so that they can be replaced. */
function batchBytes(): Buffer {
  return requestOf(
    Array.from({ length: batchRecords }, (_, at) => ({
      time: Date.UTC(2026, 0, 1),
      severityNumber: at === 0 ? 17 : 9,
      body: `row ${String(at).padStart(6, '0')} of many`,
    })),
  )
}

/** Adds records whose messages have their numbers, by writing other digits into the bytes of a request. */
function addRecords(from: number, until: number): void {
  const bytes = batchBytes()
  const places: number[] = []
  for (let at = bytes.indexOf('row 0'); at >= 0; at = bytes.indexOf('row 0', at + 1)) places.push(at + 'row '.length)
  for (let first = from; first < until; first += batchRecords) {
    const thousands = String(first / batchRecords).padStart(3, '0')
    for (const place of places) bytes.write(thousands, place)
    addLogsRequest(viewer.server.logs, bytes, 0)
  }
}

beforeAll(async () => {
  browser = await launchChromium()
  viewer = await openViewer(browser, builtPageFiles())
  page = viewer.page
  addRecords(0, total)
  await viewer.open('/')
  await page.getByText('row 999999 of many').waitFor()
})
afterAll(async () => {
  await viewer.close()
  await browser.close()
})

const numberOf = (text: string | undefined): number => Number(/row (\d+)/.exec(text ?? '')?.[1])

async function firstNumber(): Promise<number> {
  return numberOf((await rowsShown(page))[0])
}

/** Returns the numbers of the rows that are seen, after all of them were received. */
async function numbersShown(): Promise<number[]> {
  await waitUntil(async () => !(await rowsShown(page)).includes('loading'))
  return (await rowsShown(page)).map(numberOf)
}

test('the first and the last of a million rows are reached with a key', async () => {
  await waitUntil(async () => (await statusText(page)).endsWith('\n1,000,000 records'))
  await page.keyboard.press('Home')
  await waitUntil(async () => (await selectedText(page)).includes('row 000000 of many'))
  await page.keyboard.press('End')
  await waitUntil(async () => (await selectedText(page)).includes('row 999999 of many'))
  expect(await rowsShown(page)).toContain('row 999999 of many')
  expect(await page.locator('.row.selected').getAttribute('aria-rowindex')).toBe('1000000')
})

test.each([0, 0.123, 0.5, 0.75, 0.999, 1])(
  'the list is scrolled to the fraction %d of a million rows',
  async (fraction) => {
    await page.keyboard.press('Escape')
    await scrollList(page, fraction)
    const expected = fraction * (total - 30)
    await waitUntil(async () => Math.abs((await firstNumber()) - expected) < 20)
    const numbers = await numbersShown()
    // All rows are there, without a gap.
    expect(numbers).toEqual(Array.from(numbers, (_, at) => numbers[0]! + at))
    expect(await page.locator('.list .row').count()).toBeLessThan(80)
  },
)

test('the wheel scrolls by rows, not by thousands of rows', async () => {
  await scrollList(page, 0.5)
  await waitUntil(async () => Math.abs((await firstNumber()) - total / 2) < 50)
  await page.locator('#records').hover()
  const before = await firstNumber()
  for (let turn = 1; turn <= 5; turn++) {
    await page.mouse.wheel(0, 110)
    await waitUntil(async () => (await firstNumber()) === before + turn * 5)
  }
})

test('the rows of a filter are complete and in order after a million records were searched', async () => {
  await page.keyboard.press('Escape')
  await page.locator('#query').fill('level=error')
  await waitUntil(async () => (await statusText(page)).endsWith('\n1,000 of 1,000,000 records'))
  for (const fraction of [1, 0.5, 0.9]) {
    await scrollList(page, fraction)
    await waitUntil(async () => Math.abs((await firstNumber()) - fraction * (total - 30_000)) < 20_000)
    const numbers = await numbersShown()
    expect(numbers).toEqual(Array.from(numbers, (_, at) => numbers[0]! + at * batchRecords))
  }
  await page.locator('#query').fill('')
  await waitUntil(async () => (await statusText(page)).endsWith('\n1,000,000 records'))
})

test('rows that are read stay in place while records are added to a million and the oldest are removed', async () => {
  await scrollList(page, 0.6)
  await waitUntil(async () => Math.abs((await firstNumber()) - total * 0.6) < 50)
  await numbersShown()
  const before = await rowsShown(page)
  const { server } = viewer
  // As many as the memory has no room for.
  while (server.logs.firstSequence === 0) addRecords(0, 100_000)
  await waitUntil(async () => (await statusText(page)).includes('older records were removed'))
  await waitUntil(async () => (await newRows(page)) !== '')
  await waitUntil(async () => !(await rowsShown(page)).includes('loading'))
  expect(await rowsShown(page)).toEqual(before)
  const removed = server.logs.firstSequence.toLocaleString('en-US')
  await page.getByText(`${removed} older records were removed`).waitFor()
  expect(viewer.violations).toEqual([])
})

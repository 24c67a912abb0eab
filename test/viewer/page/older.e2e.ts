import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import axe from 'axe-core'
import { LogDatabase } from '../../../src/viewer/database/log-database.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { inDirectory } from '../database/support.ts'
import { builtPageFiles, launchChromium, openViewer } from './open-viewer.ts'

test('the page searches records that are only in the database, and shows what could not be saved', async () => {
  const browser = await launchChromium()
  await inDirectory(async (directory) => {
    const database = new LogDatabase(join(directory, 'a.db'), 64_000_000)
    const viewer = await openViewer(browser, builtPageFiles(), {}, { database, maxBytes: 2_000_000 })
    const { page } = viewer
    for (let from = 0; from < 12_000; from += 1_000) {
      await viewer.send(
        Array.from({ length: 1_000 }, (_, index) => ({
          time: Date.now(),
          severityNumber: 9,
          body: `order ${from + index} ${'x'.repeat(200)}`,
          attributes: { customer: `<b>${from + index}</b>` },
        })),
      )
    }
    await page.getByRole('contentinfo').getByText('12,000 saved').waitFor()
    await page.getByRole('button', { name: /search [\d,]+ older records/ }).click()
    await page.getByText(/100 older records found, [\d,]+ still to search/).waitFor()
    const problems = await page.evaluate<object[]>(
      `${axe.source}; axe.run('html', { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )
    expect(problems).toEqual([])
    await page.getByRole('button', { name: 'Search further' }).click()
    await page.getByText(/200 older records found/).waitFor()
    await page.locator('#query').fill('customer = "<b>7</b>"')
    await page.getByText('1 older record found', { exact: true }).waitFor()
    await page
      .locator('main')
      .getByRole('button', { name: /^order 7 / })
      .click()
    const detail = page.getByRole('complementary', { name: 'Record' })
    await detail.getByText('<b>7</b>').waitFor()
    // A page that is opened with its address shows the same.
    await page.reload()
    await page.getByText('1 older record found', { exact: true }).waitFor()
    await detail.getByText('<b>7</b>').waitFor()
    // A search that fails is requested once, until the user repeats it.
    let requests = 0
    page.on('request', (request) => (requests += request.url().includes('/api/older') ? 1 : 0))
    await page.locator('#query').fill('customer =')
    await page.getByText('The search failed: ').waitFor()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(requests).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Search again' }).click()
    await waitUntil(() => requests === 2)
    await page.locator('#query').fill('customer = "<b>8</b>"')
    await page.getByText('1 older record found', { exact: true }).waitFor()
    database.write = () => {
      throw new Error('the disk is full')
    }
    await viewer.send([{ body: 'lost' }]).catch(() => undefined)
    await page.getByRole('alert').getByText('not saved: 0 records, 1 requests refused').waitFor()
    expect(viewer.violations).toEqual([])
    await viewer.close()
  })
  await browser.close()
})

test('older records of several services are in the order of their times', async () => {
  const browser = await launchChromium()
  await inDirectory(async (directory) => {
    const database = new LogDatabase(join(directory, 'a.db'), 64_000_000)
    const viewer = await openViewer(browser, builtPageFiles(), {}, { database, maxBytes: 1_000_000 })
    const { page } = viewer
    const start = Date.now() - 60_000
    for (let step = 0; step < 6_000; step += 1_000) {
      for (const service of ['shop', 'mail']) {
        const offset = service === 'shop' ? 0 : 1
        await viewer.send(
          Array.from({ length: 500 }, (_, index) => ({
            time: start + step + 2 * index + offset,
            body: `${step + 2 * index + offset} ${'x'.repeat(200)}`,
            service,
          })),
        )
      }
    }
    await page.getByRole('contentinfo').getByText('6,000 saved').waitFor()
    await page.getByRole('button', { name: /search [\d,]+ older records/ }).click()
    await page.getByText(/100 older records found/).waitFor()
    await page.getByRole('button', { name: 'Search further' }).click()
    await page.getByText(/[2-9]\d\d older records found/).waitFor()
    const texts = await page.locator('main .templates td button').allInnerTexts()
    const numbers = texts.map((text) => parseInt(text, 10))
    expect(numbers.length).toBeGreaterThanOrEqual(200)
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    await viewer.close()
  })
  await browser.close()
})

function shown(count: number): string {
  return count.toLocaleString('en-US')
}

test('the page shows how many records are lost with a database', async () => {
  const browser = await launchChromium()
  await inDirectory(async (directory) => {
    const database = new LogDatabase(join(directory, 'a.db'), 4_000_000)
    const viewer = await openViewer(browser, builtPageFiles(), {}, { database, maxBytes: 2_000_000 })
    const body = 'x'.repeat(1_000)
    // As lines of files, which are not saved.
    const { archive, logs } = viewer.server
    logs.archive = undefined
    await viewer.send(Array.from({ length: 4_000 }, (_, at) => ({ time: at + 1, body })))
    logs.archive = archive
    for (let sent = 0; sent < 8; sent++)
      await viewer.send(Array.from({ length: 1_000 }, (_, at) => ({ time: at + 1, body: `${at} ${body}` })))
    const { evicted, deletedFromFile } = archive!.state
    const status = viewer.page.getByRole('contentinfo')
    await status.getByText(`${shown(evicted)} older records without a copy were removed`).waitFor()
    await status.getByText(`${shown(deletedFromFile)} older records were deleted from the file`).waitFor()
    await viewer.close()
  })
  await browser.close()
})

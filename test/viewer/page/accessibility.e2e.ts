import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import type { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { axeProblems } from './axe-problems.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { shopRecords, shopSpans, traceId } from './shop-records.ts'

let browser: Browser
let files: PageFiles

beforeAll(async () => {
  browser = await launchChromium()
  files = builtPageFiles()
})
afterAll(() => browser.close())

describe.each(['light', 'dark'] as const)('with the %s colors', (colorScheme) => {
  test('axe finds no problem in an empty page', async () => {
    const viewer = await openViewer(browser, files, { colorScheme })
    await viewer.page.locator('.empty').waitFor()
    expect(await axeProblems(viewer.page)).toEqual([])
    await viewer.close()
  })

  describe('and records', () => {
    let viewer: OpenViewer
    beforeAll(async () => {
      viewer = await openViewer(browser, files, { colorScheme, viewport: { width: 1280, height: 480 } })
      const allLevels = [0, 1, 5, 9, 13, 17, 21].map((severityNumber) => ({
        time: 1_000,
        severityNumber,
        body: `level ${severityNumber}`,
      }))
      await viewer.send([...allLevels, ...shopRecords])
      await viewer.sendSpans('shop', shopSpans)
    })
    afterAll(() => viewer.close())

    test.each([
      ['the list', '/', '.list .row .text'],
      ['the list and a record', '/?record=28', '.record-panel .exception'],
      [
        'the list with conditions',
        `/?level=error&service=payments&trace=${traceId}&q=tenant%3Dacme`,
        '.list .row .text',
      ],
      ['a list without a match', '/?q=tenant%3Dother', '.empty button'],
      ['a query with an error', '/?q=tenant%3D%3D', '.problem'],
      ['a trace', `/?open=${traceId}`, '.trace-rows'],
      ['the templates', '/?panel=templates', '.templates td'],
    ])('axe finds no problem in %s', async (_, address, selector) => {
      await viewer.open(address)
      await viewer.page.locator(selector).first().waitFor()
      expect(await axeProblems(viewer.page)).toEqual([])
    })

    test('axe finds no problem in the help, the completions and the menu of exports', async () => {
      const { page } = viewer
      await viewer.open('/')
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      expect(await axeProblems(viewer.page, 'dialog')).toEqual([])
      await page.keyboard.press('Escape')
      await page.locator('#query').focus()
      await page.keyboard.type('ten')
      await page.locator('#completions').waitFor()
      expect(await axeProblems(viewer.page, 'header')).toEqual([])
      await page.getByText('Export', { exact: true }).click()
      await page.getByText('OTLP/JSON lines').waitFor()
      expect(await axeProblems(viewer.page, 'header')).toEqual([])
    })
  })
})

test('the colors of the system are used until others are chosen, which the browser keeps', async () => {
  const viewer = await openViewer(browser, files, { colorScheme: 'dark' })
  const { page } = viewer
  const isDark = async () =>
    page.evaluate<boolean>(`getComputedStyle(document.getElementById('app')).backgroundColor === 'rgb(21, 24, 29)'`)
  expect(await isDark()).toBe(true)
  await page.getByLabel('Colors').selectOption('light')
  expect(await isDark()).toBe(false)
  await page.reload()
  expect(await isDark()).toBe(false)
  await page.getByLabel('Colors').selectOption('auto')
  expect(await isDark()).toBe(true)
  await viewer.close()
})

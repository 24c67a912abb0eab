import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import type { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { addressOf, rowsShown, selectedText, statusText } from './page-parts.ts'
import { shopRecords, startTime, traceId } from './shop-records.ts'

let browser: Browser
let files: PageFiles
let viewer: OpenViewer
let page: Page

const count = 222

beforeAll(async () => {
  browser = await launchChromium()
  files = builtPageFiles()
  viewer = await openViewer(browser, files, { permissions: ['clipboard-read', 'clipboard-write'] })
  page = viewer.page
  const others = Array.from({ length: count - shopRecords.length }, (_, at) => ({
    time: startTime - 60_000 + at * 100,
    severityNumber: at === 50 ? 21 : 9,
    body: `start ${at}.`,
  }))
  await viewer.send([...others, ...shopRecords])
})
afterAll(async () => {
  await viewer.close()
  await browser.close()
})
beforeEach(async () => {
  await viewer.open('/')
  await page.locator('.list').getByText('payment failed').waitFor()
})
afterEach(() => expect(viewer.violations).toEqual([]))

async function selects(message: string): Promise<void> {
  await waitUntil(async () => (await selectedText(page)).includes(message))
}

async function focused(): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.tagName`,
  )
}

function times(): { from: number; until: number } {
  return { from: Number(addressOf(page).get('from')), until: Number(addressOf(page).get('until')) }
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

describe('records', () => {
  test.each([
    ['k', ['k'], 'payment failed'],
    ['k and j', ['k', 'k', 'j'], 'payment failed'],
    ['the arrows', ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown'], 'the mail server is slow'],
    ['g', ['g'], 'start 0.'],
    ['Home and j', ['Home', 'j', 'j'], 'start 2.'],
    ['G', ['g', 'G'], 'payment failed'],
    ['End', ['Home', 'End'], 'payment failed'],
    ['n', ['g', 'n'], 'start 50.'],
    ['n twice', ['g', 'n', 'n'], 'payment failed'],
    ['N', ['N', 'N'], 'start 50.'],
  ])('%s selects a record, which is in the window', async (_name, keys, message) => {
    for (const key of keys) {
      await press(key)
      // A record far away is selected when it was received.
      await page.locator('.list .row.selected').waitFor()
      await waitUntil(async () => !(await page.locator('.record-panel').innerText()).includes('undefined'))
    }
    await selects(message)
    expect(await rowsShown(page)).toContain(message)
  })

  test('PageUp and PageDown move by what the window shows', async () => {
    const { length } = await rowsShown(page)
    await press('g')
    await selects('start 0.')
    await press('PageDown')
    await selects(`start ${length - 2}.`)
    await press('PageDown')
    await selects(`start ${2 * (length - 2)}.`)
    await press('PageUp')
    await selects(`start ${length - 2}.`)
  })

  test('a space stops following, and follows again', async () => {
    await press(' ')
    await page.getByRole('button', { name: 'Follow' }).waitFor()
    await press(' ')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
  })

  test('Enter shows the trace of the record, and Escape closes first the trace, then the record', async () => {
    await page.locator('#records').focus()
    await press('k', 'Enter')
    await page.getByRole('dialog', { name: `Trace ${traceId}` }).waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('records')
    await page.getByRole('complementary', { name: 'Record' }).waitFor()
    await press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    expect(await focused()).toBe('records')
  })

  test('keys scroll the panel of a record that has the focus, and letters still move in the list', async () => {
    await page.setViewportSize({ width: 1280, height: 300 })
    await press('k')
    const panel = page.getByRole('complementary', { name: 'Record' })
    await panel.getByText('payment failed').first().waitFor()
    await panel.focus()
    await press('PageDown')
    await waitUntil(async () => (await page.evaluate<number>('document.querySelector(".record-panel").scrollTop')) > 0)
    await press('ArrowUp', 'Home', ' ')
    await selects('payment failed')
    await press('k')
    await selects('the mail server is slow')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('Enter shows the trace of a record that the filter excludes, and a message for a record without a trace', async () => {
    await press('k')
    await selects('payment failed')
    await page.locator('#query').fill('level<error')
    await waitUntil(async () => (await selectedText(page)) === '')
    await page.locator('#records').focus()
    await press('Enter')
    await page.getByRole('dialog', { name: `Trace ${traceId}` }).waitFor()
    await press('Escape', 'g')
    // The first rows come from the server.
    await selects('start 0.')
    await press('Enter')
    await page.getByText('The record has no trace').waitFor()
  })

  test('n selects the next error among thousands of rows, and shows a message if no row is an error', async () => {
    const other = await openViewer(browser, files)
    const bodies = Array.from({ length: 6_000 }, (_, at) => ({
      time: startTime + at,
      severityNumber: at === 5_500 ? 17 : 9,
      body: `row ${at}.`,
    }))
    await other.send(bodies)
    await other.page.getByText('row 5999.').waitFor()
    for (const [key, text] of [
      ['g', 'row 0.'],
      ['n', 'row 5500.'],
    ] as const) {
      await other.page.keyboard.press(key)
      await waitUntil(async () => (await selectedText(other.page)).includes(text))
    }
    await other.page.keyboard.press('n')
    await other.page.getByText('There are no later errors').waitFor()
    await other.close()
  })

  test('c copies the record', async () => {
    await press('k', 'c')
    await page.getByText('Copied').waitFor()
    expect(JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'))).toMatchObject({
      body: 'payment failed',
    })
  })
})

describe('conditions', () => {
  test('e shows only errors, and then all levels', async () => {
    await press('e')
    await waitUntil(async () => (await statusText(page)).includes(`2 of ${count} records`))
    await press('e')
    await waitUntil(async () => (await statusText(page)).includes(`● connected\n${count} records`))
  })

  test('x removes all conditions', async () => {
    await viewer.open(`/?level=info&service=shop&q=tenant%3Dacme&trace=${traceId}&from=5&until=6`)
    await press('x')
    await waitUntil(async () => page.url() === `${viewer.url}/`)
  })

  test('/ moves to the query, and Escape moves back to the records', async () => {
    await press('/')
    expect(await focused()).toBe('query')
    await page.keyboard.type('x=1')
    expect(await page.locator('#query').inputValue()).toBe('x=1')
    await press('Escape', 'Escape')
    expect(await focused()).toBe('records')
  })

  test('+ and - show less and more time around the selected record, and the arrows earlier and later times', async () => {
    await press('k', '+')
    await waitUntil(() => addressOf(page).has('from'))
    const zoomed = times()
    // The selected record is the last one.
    expect(zoomed.until).toBeGreaterThan(startTime + 4_000)
    expect(zoomed.until - zoomed.from).toBeGreaterThan(31_900)
    expect(zoomed.until - zoomed.from).toBeLessThan(32_100)
    await press('ArrowLeft')
    await waitUntil(() => times().from < zoomed.from - 15_000)
    await press('ArrowRight')
    await waitUntil(() => times().from === zoomed.from)
    await press('-')
    await waitUntil(() => times().until - times().from > 60_000)
  })
})

describe('views', () => {
  test('m groups by template, and shows the records at the same place again', async () => {
    await press('m')
    await page.getByRole('cell', { name: 'GET /orders/<num> handled' }).waitFor()
    await press('j')
    expect(addressOf(page).has('record')).toBe(false)
    await press('m')
    await page.locator('.list').getByText('payment failed').waitFor()
  })

  test('t changes the times', async () => {
    await press('t')
    await waitUntil(() => addressOf(page).get('time') === 'relative')
    await press('t')
    await waitUntil(() => addressOf(page).get('time') === 'delta')
    await press('t')
    await waitUntil(() => !addressOf(page).has('time'))
  })

  test('? opens and closes the help, which lists all keys', async () => {
    await press('?')
    const help = page.getByRole('dialog', { name: 'Keys and queries' })
    await help.waitFor()
    const keys = await help.locator('kbd').allInnerTexts()
    expect(keys.join(' ')).toBe('/ j ↓ k ↑ PageDown PageUp g Home G End n N Space Enter c e m t + - ← → x ? Esc')
    await press('?')
    await help.waitFor({ state: 'detached' })
  })

  test('Escape closes the menu of exports, and its button has the focus again', async () => {
    await page.getByText('Export', { exact: true }).focus()
    await press('Enter', 'Tab')
    expect(await focused()).toBe('OTLP/JSON lines')
    await press('Escape')
    expect(await page.locator('details.menu').getAttribute('open')).toBeNull()
    expect(await focused()).toBe('Export')
  })
})

describe('focus', () => {
  test.each([
    ['the help', 'Help'],
    ['a trace', 'Show the trace'],
  ])('%s keeps the focus, ignores the keys of the page, and returns the focus when it is closed', async (_, button) => {
    await press('k')
    await page.getByRole('button', { name: button }).focus()
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    for (let tab = 0; tab < 6; tab++) {
      await press('Tab')
      expect(
        await page.evaluate<boolean>(
          `document.activeElement.closest('dialog') !== null || document.activeElement === document.body`,
        ),
      ).toBe(true)
    }
    await press('k', 'e', 'x', 't')
    expect(Object.keys(Object.fromEntries(addressOf(page)))).toEqual(
      button === 'Help' ? ['record', 'viewer'] : ['record', 'open', 'viewer'],
    )
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe(button)
  })

  test('everything is reached with Tab, in the order of the page', async () => {
    await page.locator('#query').focus()
    const reached: string[] = []
    for (let tab = 0; tab < 20; tab++) {
      await press('Tab')
      reached.push(await focused())
    }
    expect(reached.slice(0, 5)).toEqual(['❚❚ Pause', 'absoluterelativedelta', 'Export', 'autolightdark', 'Help'])
    expect(reached).toEqual(expect.arrayContaining(['error1', 'shop220', 'Messages by template', 'records']))
  })
})

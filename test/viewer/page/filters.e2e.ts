import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import type { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { addressOf, rowsShown, statusText } from './page-parts.ts'
import { shopRecords, startTime } from './shop-records.ts'

let browser: Browser
let files: PageFiles
let viewer: OpenViewer
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  files = builtPageFiles()
  viewer = await openViewer(browser, files)
  page = viewer.page
  await viewer.send(shopRecords)
})
afterAll(async () => {
  await viewer.close()
  await browser.close()
})
beforeEach(async () => {
  await viewer.open('/')
  await page.getByText('payment failed').waitFor()
})
afterEach(() => expect(viewer.violations).toEqual([]))

async function shows(count: number): Promise<void> {
  const text = count === 22 ? '22 records' : `${count} of 22 records`
  await waitUntil(async () => (await statusText(page)).includes(text))
  await waitUntil(async () => {
    const rows = await rowsShown(page)
    return rows.length === count && !rows.includes('loading')
  })
}

const filters = () => page.getByRole('navigation', { name: 'Filters' })
const chip = (name: string) => filters().getByRole('button', { name })

async function chips(): Promise<string[]> {
  const texts = await filters().getByRole('button').allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s+/g, ' '))
}

describe('levels and services', () => {
  test('levels and services are listed with the numbers of their records', async () => {
    await waitUntil(async () => (await chips()).includes('error 1'))
    expect(await chips()).toEqual([
      'error 1',
      'warn 1',
      'info 10',
      'debug 10',
      'shop 20',
      'mail 1',
      'payments 1',
      'Records',
      'Messages by template',
    ])
  })

  test('chosen levels restrict the list, and keep the numbers of the other levels', async () => {
    await chip('debug').click()
    await shows(10)
    await chip('warn').click()
    await shows(11)
    expect(await chips()).toContain('info 10')
    expect(addressOf(page).getAll('level')).toEqual(['debug', 'warn'])
    await chip('debug').click()
    await shows(1)
    await chip('warn').click()
    await shows(22)
  })

  test('the rows of another filter come with its first state, so that no request for them is needed', async () => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await chip('debug').click()
    await shows(10)
    // What the page requested for its first view can be sent later.
    const since = requests.indexOf('/api/live')
    expect(since).not.toBe(-1)
    expect(requests.slice(since)).not.toContain('/api/rows')
  })

  test('a click with Shift chooses a level and more severe ones', async () => {
    await chip('warn').click({ modifiers: ['Shift'] })
    await shows(2)
    expect(addressOf(page).getAll('level')).toEqual(['warn', 'error', 'fatal'])
  })

  test('chosen services restrict the list', async () => {
    await chip('mail').click()
    await shows(1)
    await chip('payments').click()
    await shows(2)
    expect(addressOf(page).getAll('service')).toEqual(['mail', 'payments'])
    expect(await chips()).toContain('shop 20')
  })

  test('more than 50 services are counted, and a chosen one is always shown', async () => {
    const other = await openViewer(browser, files)
    await other.send(
      Array.from({ length: 120 }, (_, at) => ({ time: startTime, body: 'hello', service: `service-${at}` })),
    )
    const note = other.page.locator('.sidebar .note')
    await note.waitFor()
    expect(await note.innerText()).toBe('and 70 more')
    await other.open('/?service=service-119')
    await other.page.getByRole('button', { name: 'service-119', pressed: true }).waitFor()
    await other.close()
  })
})

describe('query', () => {
  test('a query restricts the list while it is written', async () => {
    await page.locator('#query').pressSequentially('tenant=acme and duration_ms>=80')
    await shows(3)
    expect(await rowsShown(page)).toEqual(['GET /orders/8 handled', 'GET /orders/12 handled', 'GET /orders/16 handled'])
    expect(addressOf(page).get('q')).toBe('tenant=acme and duration_ms>=80')
    await page.getByRole('button', { name: 'Clear the query' }).click()
    await shows(22)
  })

  test('keys and values are completed with the keyboard', async () => {
    await page.locator('#query').focus()
    await page.locator('#query').pressSequentially('ten')
    await page.getByRole('option', { name: 'tenant' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator('#query').inputValue()).toBe('tenant')
    await page.locator('#query').pressSequentially('=')
    await page.getByRole('option', { name: 'acme' }).waitFor()
    expect(await page.locator('#completions').getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^globex\s+15×$/),
      expect.stringMatching(/^acme\s+6×$/),
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const active = await page.locator('#query').getAttribute('aria-activedescendant')
    expect(await page.locator(`#${active}`).innerText()).toContain('acme')
    await page.keyboard.press('Enter')
    await shows(6)
    expect(await page.locator('#query').inputValue()).toBe('tenant=acme')
  })

  test('a completion is chosen with a click', async () => {
    await page.locator('#query').focus()
    await page.locator('#query').pressSequentially('level>=')
    await page.getByRole('option', { name: 'warn' }).click()
    await shows(2)
    expect(await page.locator('#query').inputValue()).toBe('level>=warn')
  })

  test('the error of a query that is being completed does not cover the completions, and is shown after they are closed', async () => {
    const refused = page.waitForResponse((response) => response.status() === 400)
    await page.locator('#query').focus()
    await page.locator('#query').pressSequentially('tenant=')
    await page.getByRole('option', { name: 'acme' }).waitFor()
    await refused
    expect(await page.locator('#query').getAttribute('aria-invalid')).toBe('false')
    expect(await page.locator('.problem').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator('.problem').waitFor()
  })

  test('a page that is opened with an invalid query does not report that there are no records', async () => {
    await page.goto(`${viewer.url}/?q=tenant%3D`)
    await page.locator('.problem').waitFor()
    await page.getByRole('contentinfo').getByText('the filter cannot be applied').waitFor()
    expect(await page.getByText('Waiting for records').count()).toBe(0)
    await page.locator('#query').fill('level>=warn')
    await shows(2)
    await page.locator('.status').getByText('● connected').waitFor()
  })

  test('an error in a query is shown at its position, and the list stays as it was', async () => {
    await page.locator('#query').fill('tenant=acme and and level>=warn')
    await page.locator('.problem').waitFor()
    expect(await page.locator('.problem .at').innerText()).toBe('and level>=w')
    expect(await page.locator('#query').getAttribute('aria-invalid')).toBe('true')
    expect(await rowsShown(page)).toHaveLength(22)
    await page.locator('#query').fill('level>=warn')
    await shows(2)
    expect(await page.locator('.problem').count()).toBe(0)
  })

  test('a filter without a match offers to show all records', async () => {
    await page.locator('#query').fill('tenant=other')
    await page.getByText('None of 22 records matches').waitFor()
    await page.getByRole('button', { name: 'Show all records' }).click()
    await shows(22)
  })
})

describe('histogram', () => {
  test('dragging over the histogram shows only the records of that time, until all times are chosen again', async () => {
    await page.locator('.timeline svg g').first().waitFor()
    const { x, y, width } = (await page.locator('.timeline svg').boundingBox())!
    await page.mouse.move(x + width * 0.7, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.8, y + 20)
    await page.mouse.move(x + width + 9, y + 20)
    await page.mouse.up()
    await shows(2)
    const from = Number(addressOf(page).get('from'))
    expect(from).toBeGreaterThan(startTime + 2_700)
    expect(from).toBeLessThan(startTime + 2_900)
    await page.getByRole('button', { name: 'show all times' }).click()
    await shows(22)
  })

  test('all times can be chosen again when there is no record in the chosen time', async () => {
    await viewer.open('/?from=1000&until=2000')
    await page.getByText('None of 22 records matches').waitFor()
    await page.getByRole('button', { name: 'show all times' }).click()
    await shows(22)
  })

  test('bars have the numbers of records as titles, and a part for each level', async () => {
    await page.locator('.timeline svg g').first().waitFor()
    await waitUntil(async () => (await page.locator('.timeline rect').count()) >= 22)
    const last = page.locator('.timeline svg g').last()
    expect(await last.locator('title').textContent()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}: 1$/)
    expect(await last.locator('rect').getAttribute('class')).toBe('level-error')
  })
})

describe('templates', () => {
  test('messages are grouped by template, with their numbers, and a click shows the records of one', async () => {
    await page.getByRole('button', { name: 'Messages by template' }).click()
    await page.getByRole('cell', { name: 'GET /orders/<num> handled' }).waitFor()
    const rows = await page.locator('.templates tbody tr').allInnerTexts()
    expect(rows.map((row) => row.split('\t')[0])).toEqual(['20', '1', '1'])
    expect(await page.locator('.level-bar').first().getAttribute('title')).toBe('debug 10, info 10')
    await page.getByRole('button', { name: 'GET /orders/<num> handled' }).click()
    await shows(20)
    await page.getByRole('button', { name: 'one template' }).click()
    await shows(22)
  })
})

describe('address', () => {
  test('a page that is loaded again shows the same records, the same record and the same times', async () => {
    await page.locator('#query').fill('tenant=acme')
    await chip('info').click()
    await chip('shop').click()
    await page.getByLabel('Times').selectOption('delta')
    await shows(5)
    await page.getByText('GET /orders/8 handled').click()
    const detail = page.getByRole('complementary', { name: 'Record' })
    await detail.getByText('GET /orders/8 handled').waitFor()
    const before = { rows: await rowsShown(page), address: page.url(), chips: await chips() }
    await page.reload()
    await shows(5)
    await detail.getByText('GET /orders/8 handled').waitFor()
    expect({ rows: await rowsShown(page), address: page.url(), chips: await chips() }).toEqual(before)
    expect(await page.locator('#query').inputValue()).toBe('tenant=acme')
    await page.locator('.row.selected', { hasText: 'GET /orders/8 handled' }).waitFor()
  })

  test.each([
    '?q=%28',
    '?level=loud',
    '?trace=zz',
    '?record=x',
    '?from=now',
    '?open=%3Cb%3E',
    '?template=-1',
    '?panel=x',
  ])('the page works with the address /%s', async (address) => {
    await page.goto(`${viewer.url}/${address}`)
    await page.getByRole('button', { name: 'Help' }).waitFor()
    if (address.startsWith('?open')) await page.getByRole('button', { name: 'Close the trace' }).click()
    await page.keyboard.press('x')
    await shows(22)
  })
})

describe('export', () => {
  test.each([
    ['OTLP/JSON lines', 'jsonl', '"stringValue":"payment failed"'],
    ['Text', 'log', 'payment failed'],
    ['HTML page', 'html', 'payment failed'],
  ])('the records of the view are exported as %s', async (name, extension, part) => {
    await chip('error').click()
    await shows(1)
    await page.getByText('Export', { exact: true }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^records-[\\dTZ-]+\\.${extension}$`))
    const text = readFileSync(await download.path(), 'utf8')
    expect(text).toContain(part)
    expect(text).not.toContain('GET /orders')
  })

  test('secrets are redacted in an export without secrets, and in no other', async () => {
    const other = await openViewer(browser, files)
    await other.send([{ time: startTime, severityNumber: 9, body: 'mail to jane@example.com' }])
    await other.page.getByText('Export', { exact: true }).click()
    const texts: string[] = []
    for (const name of ['without secrets', 'Text']) {
      const [download] = await Promise.all([
        other.page.waitForEvent('download'),
        other.page.getByRole('listitem').filter({ hasText: 'Text' }).getByRole('link', { name }).click(),
      ])
      texts.push(readFileSync(await download.path(), 'utf8'))
    }
    await other.close()
    expect(texts.map((text) => text.includes('jane@example.com'))).toEqual([false, true])
  })
})

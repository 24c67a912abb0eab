import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Browser, Locator, Page } from 'playwright-core'
import { waitUntil } from '../../support/wait-until.ts'
import { builtPageFiles, launchChromium, openViewer, type OpenViewer } from './open-viewer.ts'
import { addressOf, statusText } from './page-parts.ts'
import { shopRecords, shopSpans, traceId } from './shop-records.ts'

let browser: Browser
let viewer: OpenViewer
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  viewer = await openViewer(browser, builtPageFiles(), { permissions: ['clipboard-read', 'clipboard-write'] })
  page = viewer.page
  await viewer.send(shopRecords)
  await viewer.sendSpans('shop', shopSpans)
})
afterAll(async () => {
  await viewer.close()
  await browser.close()
})
beforeEach(async () => {
  await viewer.open('/')
  await page.locator('.list').getByText('payment failed').click()
  await detail().getByText('Attributes').waitFor()
})
afterEach(() => expect(viewer.violations).toEqual([]))

const detail = (): Locator => page.getByRole('complementary', { name: 'Record' })
const trace = (): Locator => page.getByRole('dialog', { name: `Trace ${traceId}` })

async function clipboard(): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()')
}

/** Returns the names and the values of a part of the record. */
async function entriesOf(part: Locator): Promise<string[]> {
  return [...(await part.locator('dt').allInnerTexts()), ...(await part.locator('.value').allInnerTexts())]
}

describe('record', () => {
  test('a record shows its message, attributes, resource and origin', async () => {
    expect(await detail().locator('.body').innerText()).toBe('payment failed')
    expect(await entriesOf(detail().getByRole('region', { name: 'Resource' }))).toEqual(['service.name', 'payments'])
    expect(await detail().locator('.origin').innerText()).toContain('http')
    expect(await detail().locator('.badge').innerText()).toBe('error')
  })

  test('attributes are a tree, whose objects are opened and closed', async () => {
    const attributes = detail().getByRole('region', { name: 'Attributes' })
    const toggle = attributes.getByRole('button', { name: 'order', exact: false }).first()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    expect(await attributes.innerText()).toContain('b-2')
    await toggle.click()
    expect(await toggle.getAttribute('aria-expanded')).toBe('false')
    expect(await attributes.innerText()).not.toContain('b-2')
    expect(await attributes.innerText()).toContain('3 entries')
  })

  test.each([
    ['Filter by tenant', 'tenant = acme', '6 of 22 records'],
    ['Exclude tenant', 'tenant? != acme', '16 of 22 records'],
    ['Filter by sku', 'order.items[0].sku = a-1', '1 of 22 records'],
    ['Filter by id', 'order.id = 17', '1 of 22 records'],
    ['Filter by paid', 'order.paid = false', '1 of 22 records'],
    ['Filter by service.name', 'resource.service.name = payments', '1 of 22 records'],
    ['Filter by scope', 'scope = http', '22 records'],
  ])('the button "%s" adds the condition %s', async (name, query, status) => {
    await detail().getByRole('button', { name }).first().click()
    await waitUntil(async () => (await statusText(page)).includes(status))
    expect(await page.locator('#query').inputValue()).toBe(query)
  })

  test('a second condition is added to the query, and an alternative is put in parentheses', async () => {
    await page.locator('#query').fill('level=error or level=warn')
    await waitUntil(async () => addressOf(page).get('q') === 'level=error or level=warn')
    await detail().getByRole('button', { name: 'Filter by tenant' }).click()
    expect(await page.locator('#query').inputValue()).toBe('(level=error or level=warn) and tenant = acme')
  })

  test('values, objects and records are copied', async () => {
    await detail().getByRole('button', { name: 'Copy tenant' }).click()
    await page.getByText('Copied').waitFor()
    expect(await clipboard()).toBe('acme')
    await detail().getByRole('button', { name: 'Copy order' }).click()
    await waitUntil(async () => (await clipboard()) !== 'acme')
    expect(JSON.parse(await clipboard())).toEqual({ id: 17, items: [{ sku: 'a-1' }, { sku: 'b-2' }], paid: false })
    await detail().getByRole('button', { name: 'Copy the record' }).click()
    await waitUntil(async () => (await clipboard()).includes('resource'))
    expect(JSON.parse(await clipboard())).toMatchObject({
      level: 'error',
      body: 'payment failed',
      attributes: { tenant: 'acme' },
      resource: { 'service.name': 'payments' },
      trace: traceId,
    })
  })

  test('frames of dependencies are collapsed until they are opened', async () => {
    const exception = detail().locator('.exception')
    expect(await exception.getByRole('heading').innerText()).toBe('TypeError: the amount is not a number')
    expect(await exception.innerText()).toContain('at refund (/srv/shop/src/refund.ts:12:9)')
    expect(await exception.innerText()).not.toContain('express')
    await exception.getByRole('button', { name: '3 frames of dependencies' }).click()
    expect(await exception.innerText()).toContain('at next (/srv/shop/node_modules/express/lib/route.js:149:13)')
    expect(await exception.innerText()).toContain('node:internal/process/task_queues')
  })

  test('the record is closed with its button, and the list has the focus again', async () => {
    await detail().getByRole('button', { name: 'Close the record' }).click()
    await detail().waitFor({ state: 'detached' })
    expect(addressOf(page).get('record')).toBeNull()
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('records')
  })
})

describe('trace', () => {
  test('a trace has its spans as a tree, and its records in order with gaps and the names of their spans', async () => {
    await detail().getByRole('button', { name: 'Show the trace' }).click()
    await trace().getByText('2 records, 2 spans, 1.30 s').waitFor()
    expect(await trace().locator('.spans li').allInnerTexts()).toEqual([
      expect.stringMatching(/^POST \/orders shop\s+1\.30 s$/),
      expect.stringMatching(/^charge card shop\s+✖ 600 ms$/),
    ])
    const indents = await trace()
      .locator('.span-name')
      .evaluateAll((names) =>
        names.map((name) => (name as unknown as { style: { paddingLeft: string } }).style.paddingLeft),
      )
    expect(indents).toEqual(['0px', '12px'])
    const rows = await trace().locator('.trace-rows > li').allInnerTexts()
    expect(rows.map((row) => row.replaceAll(/\s+/g, ' ').split(' attempt')[0])).toEqual([
      '+100 ms warn mail POST /orders the mail server is slow',
      '1.00 s later',
      expect.stringMatching(/^\+1\.10 s error payments ✖ charge card payment failed tenant=acme/),
    ])
  })

  test('a record of a trace is opened in the trace', async () => {
    await viewer.open(`/?open=${traceId}`)
    await trace().getByRole('button', { name: '+1.10 s' }).click()
    await trace().locator('.trace-record').getByText('service.name').waitFor()
    expect(await trace().locator('.trace-record .body').innerText()).toBe('payment failed')
    await trace().getByRole('button', { name: '+1.10 s' }).click()
    await trace().locator('.trace-record').waitFor({ state: 'detached' })
  })

  test('records that arrive are added to a trace that is open', async () => {
    await viewer.open(`/?open=${traceId}`)
    await trace().getByText('2 records').waitFor()
    await viewer.send([{ time: 5, body: 'early', traceId }])
    await trace().getByText('3 records').waitFor()
    await trace().getByText('early').waitFor()
  })

  test('the list is filtered by a trace, until its condition is removed', async () => {
    await detail().getByRole('button', { name: 'Filter by it' }).click()
    await waitUntil(async () => /^\D*[23] of 2[23] records/.test(await statusText(page)))
    expect(addressOf(page).get('trace')).toBe(traceId)
    await page.getByRole('button', { name: `trace ${traceId.slice(0, 8)}…` }).click()
    await waitUntil(async () => /^\D*2[23] records/.test(await statusText(page)))
  })

  test('a trace that is unknown is reported', async () => {
    await viewer.open(`/?open=${'ab'.repeat(16)}`)
    await page.getByText('There are no records and spans of this trace').waitFor()
  })
})

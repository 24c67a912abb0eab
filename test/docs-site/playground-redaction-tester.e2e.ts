import { beforeEach, describe, expect, test } from '@jest/globals'
import { usePlayground } from './playground/use-playground.ts'

const shared = usePlayground()

describe('the redaction tester', () => {
  beforeEach(() => shared.playground.run(''))

  test('shows what is written, and the rule of each redacted value', async () => {
    const { page } = shared.playground
    await page.getByLabel('Rules').fill('{ patterns: [/T-\\d+/] }')
    await page.getByLabel('Sample').fill('{ "note": "ticket T-17", "html": "<img src=x onerror=alert(1)>" }')
    await page.getByText('1 redacted value', { exact: true }).waitFor()
    const result = page.getByRole('region', { name: 'Redaction result' })
    expect(await result.locator('tbody tr').allInnerTexts()).toEqual(['note\tpatterns: /T-\\d+/\tticket [REDACTED]'])
    expect(await result.locator('pre').innerText()).toContain('<img src=x onerror=alert(1)>')
    expect(shared.playground.violations).toEqual([])
  })

  test('shows what is wrong with rules and samples', async () => {
    const { page } = shared.playground
    await page.getByLabel('Rules').fill('{ patterns: [/(a+)+b/] }')
    await page.getByText(/^redact\.patterns\[0\]: /).waitFor()
    expect(await page.getByLabel('Rules').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Sample').fill('{ "a": alert(1) }')
    await page.getByText('Line 1, column 8: must be a literal value, not code (call expression)').waitFor()
  })

  test('shows a limited number of redacted values, and the number of the others', async () => {
    const { page } = shared.playground
    await page.getByLabel('Rules').fill("['list[*].pin']")
    const list = Array.from({ length: 2_000 }, () => ({ pin: 1 }))
    await page.getByLabel('Sample').fill(JSON.stringify({ list }))
    await page.getByText('2,000 redacted values', { exact: true }).waitFor()
    await page.getByText('1,000 redacted values are not shown, because there are too many.').waitFor()
    expect(await page.locator('.redaction-tester tbody tr').count()).toBe(1_000)
  })
})

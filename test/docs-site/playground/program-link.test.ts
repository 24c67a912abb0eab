import { describe, expect, test } from '@jest/globals'
import { deflateRawSync } from 'node:zlib'
import { fragmentOf, programOf } from '../../../docs/site/.vitepress/playground/program-link.ts'

describe('the link of a program', () => {
  test.each([['const a = 1\n'], [''], ['"ä 😀 \u2028"'], ['x'.repeat(90_000)]])('contains it', async (code) => {
    const fragment = await fragmentOf(code)
    expect(fragment).toMatch(/^#code=[\w-]*$/)
    expect(await programOf(fragment)).toBe(code)
  })

  test('is missing in other fragments', async () => {
    expect(await programOf('')).toBeUndefined()
    expect(await programOf('#example=levels')).toBeUndefined()
  })

  test.each([['#code=%%%'], ['#code='], ['#code=AAAA'], ['#code=____']])(
    'is rejected if it is damaged: %s',
    async (fragment) => {
      await expect(programOf(fragment)).rejects.toThrow('The program in the link is damaged or too long.')
    },
  )

  test('is rejected if a short fragment contains more than 100,000 bytes', async () => {
    const fragment = `#code=${deflateRawSync('x'.repeat(50_000_000)).toString('base64url')}`
    expect(fragment.length).toBeLessThan(100_000)
    await expect(programOf(fragment)).rejects.toThrow('The program in the link is damaged or too long.')
  })
})

import { describe, expect, test } from '@jest/globals'
import { passesLuhn } from '../../demo/luhn.ts'
import { rowAt, uploadOf } from '../../demo/rows.ts'
import { canary, censorMark, tokenOf } from '../../demo/secrets.ts'

const rows = Array.from({ length: 2_000 }, (_, i) => rowAt(Math.floor(i / 100), i % 100))

describe('the rows', () => {
  test('the rows are the same each time they are created', () => {
    expect(rowAt(3, 7)).toEqual(rowAt(3, 7))
    expect(uploadOf(2, 50)).toEqual(uploadOf(2, 50))
  })

  test('every secret of the rows contains the canary, and nothing else does', () => {
    for (const { password, card, ...others } of rows) {
      expect([password.split(canary).length, card.split(canary).length]).toEqual([2, 2])
      expect(JSON.stringify(others)).not.toContain(canary)
    }
    expect(tokenOf(7)).toContain(canary)
  })

  test('the rows contain no secret twice', () => {
    expect(new Set(rows.map(({ password }) => password)).size).toBe(rows.length)
    expect(new Set(rows.map(({ card }) => card)).size).toBe(rows.length)
  })

  test('the card numbers of the rows pass the checksum', () => {
    expect(rows.every(({ card }) => card.length === 16 && passesLuhn(card))).toBe(true)
    expect([passesLuhn('4111111111111111'), passesLuhn('4111111111111112'), passesLuhn('')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('the rows contain quotes, newlines, emoji and lone surrogates, and never a redaction marker', () => {
    const text = rows.map((row) => Object.values(row).join('\t')).join('\t')
    expect(text).toMatch(/".*\n.*\u{1f389}/su)
    expect(text.isWellFormed()).toBe(false)
    expect(text).not.toContain(censorMark)
  })
})

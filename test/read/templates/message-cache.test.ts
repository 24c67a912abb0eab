import { expect, it } from '@jest/globals'
import { scanMessage } from '../../../src/read/templates/message-template.ts'
import { Templates } from '../../../src/read/templates/templates.ts'

const parts = [
  '0',
  '1',
  '9',
  '7',
  'x',
  'X',
  'a',
  'fe',
  'kq',
  ' ',
  ':',
  '.',
  '-',
  '"',
  '[',
  ',',
  '10.0.0.1',
  'é',
  '=',
  '?q',
]

it('finds for 20,000 random messages the templates that a scan of each message finds', () => {
  const templates = new Templates(100_000)
  const kinds = new Map<string, number[]>()
  let seed = 7
  const random = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit
  const messages = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + random(6) }, () => parts[random(parts.length)]).join(''),
  )
  for (const message of messages) {
    const scanned = scanMessage(message)
    const earlier = kinds.get(scanned.key) ?? []
    const merged = scanned.kinds.map((kind, index) => kind | (earlier[index] ?? 0))
    kinds.set(scanned.key, merged)
    expect(templates.ofMessage(message)).toMatchObject({ key: scanned.key, kinds: merged })
  }
})

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { readLog } from '../../demo/reader.ts'
import type { Verdict } from '../../demo/reader.ts'
import { cardOf, censorMark, passwordOf, tokenOf } from '../../demo/secrets.ts'
import { createLogFolder, perfectLines } from './log-file.ts'

const sent = { requests: 4, rows: 20 }
const folder = createLogFolder()
afterAll(() => folder.remove())

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const verdictOn = (content: string | Buffer, chunkBytes?: number): Promise<Verdict> =>
  readLog(folder.write(content), sent, chunkBytes === undefined ? {} : { chunkBytes })

const kindsOf = ({ errors }: Verdict): string[] => [...new Set(errors.map(({ kind }) => kind))]

/** A perfect file but for what `spoil` does to the lines; `at(request, seq)` is the index of a row. */
function spoiled(spoil: (lines: string[], at: (request: number, seq: number) => number) => void): string {
  const lines = perfectLines(sent)
  const at = (request: number, seq: number): number =>
    lines.findIndex((line) => line.includes(`"request":${request},"seq":${seq},`))
  spoil(lines, at)
  return textOf(lines)
}

const edited = (request: number, seq: number, edit: (line: string) => string): string =>
  spoiled((lines, at) => lines.splice(at(request, seq), 1, edit(lines[at(request, seq)]!)))

describe('accepted files', () => {
  test.each([3, 7, 1_000, 1 << 20])('a complete file is accepted in chunks of %i bytes', async (chunkBytes) => {
    const verdict = await verdictOn(textOf(perfectLines(sent)), chunkBytes)
    expect(verdict.errors).toEqual([])
    expect(verdict).toMatchObject({ lines: 88, planted: 164, marks: 164, leaks: 0 })
  })

  test('a file in which records of different requests are mixed is accepted', async () => {
    const lines = perfectLines(sent).toSorted((a, b) => requestOf(a) - requestOf(b))
    expect(kindsOf(await verdictOn(textOf(lines)))).toEqual([])
  })
})

describe('rejected files', () => {
  test('a file is rejected when a row is missing', async () => {
    const verdict = await verdictOn(spoiled((lines, at) => lines.splice(at(2, 7), 1)))
    expect(verdict.errors).toContainEqual({ kind: 'sequence', text: 'row 7 of request 2 is missing' })
  })

  test('a file is rejected when the last row of a request is missing', async () => {
    const verdict = await verdictOn(spoiled((lines, at) => lines.splice(at(3, 19), 1)))
    expect(verdict.errors).toContainEqual({ kind: 'sequence', text: 'row 19 of request 3 is missing' })
  })

  test.each(['upload started', 'upload finished'])(
    'a file is rejected when a record "%s" is missing',
    async (message) => {
      const text = spoiled((lines) => {
        lines.splice(
          lines.findIndex((line) => line.includes(message)),
          1,
        )
      })
      expect(kindsOf(await verdictOn(text))).toContain('sequence')
    },
  )

  test('a file is rejected when a row is duplicated', async () => {
    const verdict = await verdictOn(spoiled((lines, at) => lines.splice(at(1, 3), 0, lines[at(1, 3)]!)))
    expect(verdict.errors[0]?.text).toMatch(/^line \d+: row 3 of request 1 is duplicated$/)
  })

  test('a file is rejected when two rows of a request are swapped', async () => {
    const text = spoiled((lines, at) => {
      const [first, second] = [at(0, 4), at(0, 5)]
      ;[lines[first], lines[second]] = [lines[second]!, lines[first]!]
    })
    const verdict = await verdictOn(text)
    expect(verdict.errors.map(({ text: error }) => error)).toEqual(['line 13: row 4 of request 0 is after row 5'])
  })

  test('a file is rejected when a row is after the end of its request', async () => {
    const text = spoiled((lines, at) => lines.push(...lines.splice(at(0, 19), 1)))
    expect(kindsOf(await verdictOn(text))).toEqual(['sequence'])
  })

  test('a file is rejected when a line is truncated', async () => {
    const text = edited(1, 9, (line) => line.slice(0, 100))
    expect(kindsOf(await verdictOn(text))).toEqual(['line', 'sequence', 'mark'])
  })

  test('a file is rejected when two lines are joined', async () => {
    const text = spoiled((lines, at) => {
      const joined = lines.splice(at(1, 9), 2).join('')
      lines.splice(30, 0, joined)
    })
    expect(kindsOf(await verdictOn(text))).toEqual(['line', 'sequence'])
  })

  test('a file is rejected when its last line is incomplete', async () => {
    const text = textOf(perfectLines(sent))
    expect(kindsOf(await verdictOn(text.slice(0, -1)))).toEqual(['line'])
    expect(kindsOf(await verdictOn(text.slice(0, -10)))).toEqual(['line', 'sequence'])
  })

  test('a file is rejected when it is empty', async () => {
    expect(kindsOf(await verdictOn(''))).toEqual(['sequence', 'mark'])
  })

  test('a file is rejected when a byte is not UTF-8', async () => {
    const bytes = Buffer.from(textOf(perfectLines(sent)))
    bytes[bytes.indexOf('wrote "no"'.slice(0, 4))] = 0xff
    expect(kindsOf(await verdictOn(bytes))).toContain('line')
  })

  test('a file is rejected when a field differs from what was sent', async () => {
    const text = edited(2, 2, (line) => line.replace('@example.com', '@example.org'))
    expect(kindsOf(await verdictOn(text))).toEqual(['row'])
  })

  test('a file is rejected when a line belongs to no request', async () => {
    const text = spoiled((lines) => lines.push('{"level":"warn","message":"records dropped","attributes":{}}'))
    expect(kindsOf(await verdictOn(text))).toEqual(['sequence'])
  })

  test('a file is rejected when a redaction marker is missing', async () => {
    const text = edited(0, 0, (line) => line.replace(censorMark, ''))
    expect((await verdictOn(text)).errors).toEqual([
      { kind: 'mark', text: '164 secrets were planted, 163 censor marks found' },
    ])
  })
})

describe('detection of planted secrets', () => {
  const secrets = { password: passwordOf(20_003), card: cardOf(20_003), token: tokenOf(2) }

  test.each(Object.entries(secrets))('a %s in a line is detected', async (_, secret) => {
    const verdict = await verdictOn(withSecret(secret))
    expect(kindsOf(verdict)).toEqual(['secret', 'mark'])
    expect(verdict.leaks).toBe(1)
  })

  test.each(['hex', 'base64', 'base64url'] as const)('a secret that is encoded in %s is detected', async (encoding) => {
    for (const before of ['', 'x', 'xy']) {
      const verdict = await verdictOn(withSecret(Buffer.from(before + secrets.card).toString(encoding)))
      expect(verdict.leaks).toBe(1)
    }
  })

  test('a secret in UTF-16 outside of every record is detected', async () => {
    const text = Buffer.from(textOf(perfectLines(sent)))
    expect(kindsOf(await verdictOn(Buffer.concat([text, Buffer.from(secrets.token, 'utf16le')])))).toContain('secret')
  })

  test.each([3, 5, 7, 64])(
    'a secret that crosses the boundaries of chunks of %i bytes is counted once',
    async (chunkBytes) => {
      expect((await verdictOn(withSecret(secrets.card), chunkBytes)).leaks).toBe(1)
    },
  )
})

test('the reader and its imports import nothing from sluice', () => {
  const demo = join(import.meta.dirname, '../../demo')
  const pending = ['reader.ts']
  const seen = new Set<string>()
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const source = readFileSync(join(demo, file), 'utf8')
    for (const [, specifier = ''] of source.matchAll(/(?:from|import) ?\(?'([^']+)'/g)) {
      expect(specifier).toMatch(/^(node:|\.\/)/)
      if (specifier.startsWith('.')) pending.push(join(dirname(file), specifier))
    }
  }
  expect([...seen]).toContain('sequence.ts')
})

const withSecret = (secret: string): string =>
  edited(2, 3, (line) => line.replace(censorMark, JSON.stringify(secret).slice(1, -1)))

const requestOf = (line: string): number => Number(/"request":(\d+)/.exec(line)?.[1])

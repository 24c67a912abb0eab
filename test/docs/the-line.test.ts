import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { codeOf, tableUnder } from './blocks.ts'
import { Workshop } from './workshop.ts'

const page = readFileSync(new URL('../../docs/reference/the-line.md', import.meta.url), 'utf8')

interface Example {
  readonly title: string
  readonly value: string
  readonly written: string
}

function examplesUnder(heading: string): Example[] {
  return tableUnder(heading, page).map(([title, value, written]) => {
    return { title: title!, value: codeOf(value!), written: codeOf(written!) }
  })
}

const [, limits] = /With `limits: (\{.*\})`/.exec(page)!
const tables = [
  { name: 'values', options: '{}', examples: examplesUnder('Values') },
  { name: 'limits', options: `{ limits: ${limits} }`, examples: examplesUnder('Limits') },
]

const workshop = new Workshop()
const lines = new Map<string, readonly string[]>()

beforeAll(async () => {
  for (const { name, options, examples } of tables) {
    const calls = examples.map(({ value }) => `log.info({ value: ${value} })\n`).join('')
    workshop.add(name, `import { createLogger } from 'sluice'\nconst log = createLogger(${options})\n${calls}`)
  }
  const ran = tables.map(async ({ name }) => lines.set(name, (await workshop.run(name)).split('\n')))
  await Promise.all(ran)
})

afterAll(() => workshop.remove())

describe.each(tables)('examples of $name', ({ name, examples }) => {
  test.each(examples.map((example, index) => [example.title, example, index] as const))(
    'the line matches the example: %s',
    (_, { written }, index) => {
      const line = lines.get(name)![index]!
      const value = /"attributes":\{"value":(.*)\}\}$/.exec(line)?.[1] ?? line
      // Compare the text, because escapes in the line are escapes on the page.
      expect(value).toBe(written)
    },
  )
})

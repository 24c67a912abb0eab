import { afterAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { codeOf, tableUnder } from './blocks.ts'
import { Workshop } from './workshop.ts'

const page = readFileSync(new URL('../../docs/guides/moving.md', import.meta.url), 'utf8')
const workshop = new Workshop()
afterAll(() => workshop.remove())

test('each line of the migration table compiles', async () => {
  const rows = tableUnder('Migrating', page)
  expect(rows.length).toBeGreaterThan(4)
  const imports = [
    "import { createLogger } from 'sluice'",
    "import { childProcessLogger } from 'sluice/child-process'",
    "import { sluiceTransport } from 'sluice/winston'",
  ].join('\n')
  for (const [number, [, line]] of rows.entries()) {
    const code = codeOf(line!)
    if (code.startsWith('node ')) continue
    const console = code.startsWith('captureConsole') ? "import { captureConsole } from 'sluice/console'\n" : ''
    workshop.add(`row-${number}`, `${imports}\n${console}${code}\n`)
  }
  expect(await workshop.compile()).toBe('')
})

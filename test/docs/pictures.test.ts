import { expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { runChild } from '../support/processes/child.ts'

test('the pictures in docs/pictures show the current output', async () => {
  const script = fileURLToPath(new URL('../../scripts/terminal-pictures.ts', import.meta.url))
  const { code, stderr } = await runChild({ args: [script], timeoutMillis: 60_000 })
  expect(stderr).toBe('')
  expect(code).toBe(0)
}, 60_000)

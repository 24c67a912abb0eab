import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from './blocks.ts'
import { damagedLog, shopLog } from './stats-and-check/shop-log.ts'

const guide = fileURLToPath(new URL('../../docs/guides/stats-and-check.md', import.meta.url))
const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const blocks = blocksOf(readFileSync(guide, 'utf8'))
const commands = blocks.flatMap(({ language, text, line }, index) => {
  const next = blocks[index + 1]
  return language === 'sh' && next?.language === 'text' ? [[line, text, next.text] as const] : []
})
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-guide-'))
  mkdirSync(join(folder, 'bin'))
  const program = join(folder, 'bin/sluice')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(program, 0o755)
  writeFileSync(join(folder, 'app.log'), shopLog())
  writeFileSync(join(folder, 'damaged.log'), damagedLog())
})

afterAll(() => rmSync(folder, { recursive: true }))

test('the guide of stats and check has commands with their output', () => {
  expect(commands.length).toBeGreaterThan(4)
})

test.each(commands)(
  'the commands in line %i of the guide of stats and check print the documented output',
  (_, text, output) => {
    const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter)
    const env = { ...process.env, PATH: path, TZ: 'UTC', NO_COLOR: '1' }
    const { stdout, stderr } = spawnSync('sh', ['-c', text], { cwd: folder, env, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toBe(output)
  },
)

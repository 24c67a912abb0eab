import { afterAll, beforeAll, expect } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manPage } from '../../../src/cli/help/man-page.ts'
import { needs } from '../../support/needs.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
let folder: string
let path: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-man-'))
  path = join(folder, 'sluice.1')
  writeFileSync(path, manPage())
})

afterAll(() => rmSync(folder, { recursive: true }))

const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANPAGER: 'cat', GROFF_NO_SGR: '1' }

needs('man', has('man'))(
  'the man page is shown without warnings, with all options and quotes as they are typed',
  () => {
    const { stdout, stderr } = spawnSync('man', ['-l', '--warnings=w', path], { encoding: 'utf8', env })
    const text = stdout.replaceAll(/.[\b]/g, '')
    expect(stderr).toBe('')
    expect(text).toMatch(/^NAME\n {7}sluice - read, follow, search and summarize log files$/m)
    expect(text).toMatch(/^ {7}-n, --tail N$/m)
    expect(text.replaceAll(/\s+/g, ' ')).toContain("'level>=warn and http.response.")
  },
)

needs('mandoc', has('mandoc'))('the man page has no errors for mandoc but the missing date', () => {
  const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', path], { encoding: 'utf8', env })
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
})

import { expect, test } from '@jest/globals'
import { AssertionError } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertions, captureLogs } from '../../src/entries/testing.ts'
import { blocksOf } from '../docs/blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function captured() {
  const logs = captureLogs()
  logs.logger.warn('order {id} is late', { id: 7 })
  return logs
}

function thrownBy(assertion: () => void): unknown {
  try {
    assertion()
    return undefined
  } catch (error) {
    return error
  }
}

test('the assertions accept what was logged', () => {
  const logs = captured()
  assertions.logged(logs, { level: 'warn', attributes: { id: 7 } })
  assertions.loggedTimes(logs, 1)
  assertions.loggedTimes(logs, 0, { level: 'info' })
  assertions.loggedNothing(logs, { minimumLevel: 'error' })
  expect(logs.records).toHaveLength(1)
})

test.each([
  ['logged', 'order 8 is late', /^expected a record with .*; the closest:\n  warn "order 7 is late"/],
  ['loggedTimes', 2, /^expected 2 records, but logged 1 record:\n  warn "order 7 is late"/],
  ['loggedNothing', undefined, /^expected nothing, but logged 1 record:\n  warn "order 7 is late"/],
] as const)('a failed `%s` throws an AssertionError that lists records', (name, argument, message) => {
  const logs = captured()
  const error = thrownBy(() => (assertions[name] as (...args: readonly unknown[]) => void)(logs, argument))
  expect(error).toBeInstanceOf(AssertionError)
  expect(error).toMatchObject({ operator: name, code: 'ERR_ASSERTION' })
  expect((error as Error).message).toMatch(message)
})

test('the stack of an AssertionError begins in the test', () => {
  const error = thrownBy(() => assertions.logged(captured(), 'no')) as Error
  const frame = error.stack!.split('\n').find((line) => /^ +at /.test(line))
  expect(frame).toContain('assertions.test.ts')
})

test.each([
  [
    () => assertions.logged({} as never, 'a'),
    'logged: the received value must be the result of captureLogs(): logged(logs',
  ],
  [() => assertions.loggedTimes(captured(), -1), 'loggedTimes: times must be a count'],
  [() => assertions.logged(captured(), { mesage: 'a' } as never), 'mesage'],
])('an invalid argument throws a TypeError: %s', (assertion, message) => {
  const error = thrownBy(assertion)
  expect(error).toBeInstanceOf(TypeError)
  expect((error as Error).message).toContain(message)
})

test('the program of the guide for node:test passes, and fails when nothing is logged', () => {
  const project = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-node-test-'))
  try {
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(root, join(project, 'node_modules/sluice'), 'junction')
    const page = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8')
    const { text } = blocksOf(page).find((block) => block.language === 'js' && block.text.includes('node:test'))!
    writeFileSync(join(project, 'guide.test.mjs'), text)
    writeFileSync(join(project, 'silent.test.mjs'), text.replace('logger.warn(', 'logger.debug('))
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: _options, ...env } = process.env
    const run = (file: string) =>
      spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], { cwd: project, env, encoding: 'utf8' })
    const [passed, failed] = [run('guide.test.mjs'), run('silent.test.mjs')]
    expect(passed.stdout).toMatch(/^# pass 1$/m)
    expect(passed.status).toBe(0)
    expect(failed.stdout).toContain('but nothing was logged')
    expect(failed.status).toBe(1)
  } finally {
    rmSync(project, { recursive: true })
  }
})

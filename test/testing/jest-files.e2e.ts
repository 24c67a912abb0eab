import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../docs/blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = 100

/** A project whose tests use the built package. */
const project = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-jest-'))

/** Loads both builds of the package, which share process-wide state, and creates more loggers than Node's default listener limit. */
const body = `
  expect.extend(matchers)
  for (const name of ['one', 'other']) {
    test('captures ' + name, () => {
      const { captureLogs } = { one, other }[name]
      const logs = captureLogs({ name })
      logs.logger.warn('order {id}', { id: 7 })
      const loggers = Array.from({ length: 12 }, () => createLogger({ exporter: logs.exporter() }))
      for (const log of loggers) log.info('one of many')
      expect(logs).toHaveLogged({ level: 'warn', message: 'order 7', scopeName: name })
      expect(logs).toHaveLoggedTimes(12, 'one of many')
    })
  }
  test('captures the default logger', () => {
    const logs = one.captureLogs({ from: logger })
    logger.error('failed', new Error('no'))
    logs.restore()
    expect(logs.text()).toBe('error failed\\n  Error: no\\n')
  })
  test('the default logger writes when it is not captured', () => {
    if (INDEX % 10 === 0) logger.info('from file INDEX')
  })
`
const esm = `import * as one from 'sluice/testing'
import { matchers } from 'sluice/testing'
import { createLogger, logger } from 'sluice'
${body}`
const cjs = `const one = require('sluice/testing')
const { matchers } = one
const { createLogger, logger } = require('sluice')
${body}`
/** Each kind is used for a quarter of the files: `import`, `require`, and both in either order, which loads two builds. */
const kinds = [
  [
    'mjs',
    `${esm.replace("'sluice'", "'sluice'\nimport { createRequire } from 'node:module'")}
    const other = createRequire(import.meta.url)('sluice/testing')`,
  ],
  ['mjs', `${esm}\nconst other = one`],
  [
    'cjs',
    `${cjs}
    const other = one
    test('import and require share the default logger', async () => {
      const other = await import('sluice')
      const logs = one.captureLogs({ from: other.logger })
      logger.warn('seen')
      logs.restore()
      expect(logs).toHaveLogged('seen')
    })`,
  ],
  ['cjs', `${cjs}\nconst other = one`],
] as const

/** The Jest example of the testing guide. */
const guide = blocksOf(readFileSync(join(root, 'docs/guides/testing.md'), 'utf8')).find(
  ({ language }) => language === 'js',
)

beforeAll(() => {
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(root, join(project, 'node_modules/sluice'), 'junction')
  const config = {
    testMatch: ['**/*.test.*'],
    moduleFileExtensions: ['js', 'mjs', 'cjs'],
    transform: {},
    watchman: false,
  }
  const options = { ...config, cacheDirectory: join(project, 'cache') }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', jest: options }))
  for (let index = 0; index < files; index++) {
    const [extension, source] = kinds[index % kinds.length]!
    writeFileSync(join(project, `${index}.test.${extension}`), source.replaceAll('INDEX', String(index)))
  }
  writeFileSync(join(project, 'guide.test.mjs'), guide!.text)
})

afterAll(() => rmSync(project, { recursive: true }))

test('a hundred Jest test files with loggers exit without warnings or open handles', async () => {
  const { code, output } = await run([join(root, 'node_modules/jest/bin/jest.js'), '--detectOpenHandles'])
  // Each file has four tests, a quarter of them have one more, and the guide has one.
  expect(output).toContain(` ${files * 4.25 + 1} passed, ${files * 4.25 + 1} total`)
  expect(output).not.toMatch(/MaxListeners|Warning|open handle|did not exit|FAIL/i)
  expect(output.match(/"message":"from file \d+0?"/g)).toHaveLength(files / 10)
  expect(code).toBe(0)
  // The test takes some seconds on an idle machine.
}, 120_000)

function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...flags, ...args], { cwd: project, env: environment(), timeout: 110_000 })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += String(part)))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

/** Returns the environment without the variables of the Jest run that this test belongs to. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(JEST_|SLUICE_|OTEL_|NODE_|LOG_LEVEL|FORCE_COLOR)/.test(name)),
  )
}

import { afterAll, describe, expect } from '@jest/globals'
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../docs/blocks.ts'
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const projects = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-vitest-'))

afterAll(() => rmSync(projects, { recursive: true }))

const program = `import { afterEach, expect, test, vi } from 'vitest'
import { createLogger, logger } from 'sluice'
import { captureLogs, matchers } from 'sluice/testing'

expect.extend(matchers)
const log = createLogger({ name: 'app' })
const logs = captureLogs({ from: [log, logger] })
afterEach(() => logs.clear())

test('the matchers find captured records', () => {
  log.warn('order {id} is late', { id: 7, at: { place: 'depot' } })
  expect(logs).toHaveLogged({ level: 'warn', message: /late/, attributes: { id: expect.any(Number), at: { place: 'depot' } } })
  expect(logs).not.toHaveLogged('order 8 is late')
  expect(logs).toHaveLoggedTimes(1)
  expect(logs).toHaveLoggedNothing({ minimumLevel: 'error' })
})

test('a failure message lists the nearest record', () => {
  logger.info('order 7 placed')
  expect(() => expect(logs).toHaveLogged({ level: 'warn' })).toThrow('info "order 7 placed"\\n    level: expected "warn", got "info"')
})

test('the capture is empty after clear, and fake timers do not change record times', () => {
  vi.useFakeTimers()
  expect(logs).toHaveLoggedNothing()
  log.info('now')
  expect(logs.find('now')!.time).toBe(Date.UTC(2000, 0, 1))
  vi.useRealTimers()
})
`

describe.each(['4', '5'])('Vitest %s', (version) => {
  const vitest = join(root, 'test/vitest', version, 'node_modules/vitest')
  const withVitest = needs(`Vitest (npm --prefix test/vitest/${version} ci)`, existsSync(vitest))

  withVitest('the matchers and `captureLogs` work in Vitest', async () => {
    const project = join(projects, version)
    mkdirSync(join(project, 'node_modules'), { recursive: true })
    symlinkSync(root, join(project, 'node_modules/sluice'), 'junction')
    symlinkSync(vitest, join(project, 'node_modules/vitest'), 'junction')
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(join(project, 'logs.test.ts'), program)
    writeFileSync(join(project, 'guide.test.js'), guideProgram().replace('@jest/globals', 'vitest'))
    const args = [join(vitest, 'vitest.mjs'), 'run', '--no-color', '--reporter', 'verbose']
    const { code, output } = await run(project, args)
    expect(output).toMatch(/Tests +4 passed \(4\)/)
    expect(output).toContain(`v${version}.`)
    expect(code).toBe(0)
  })
})

function guideProgram(): string {
  const page = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8')
  return blocksOf(page).find(({ language, text }) => language === 'js' && text.includes('@jest/globals'))!.text
}

function run(cwd: string, args: readonly string[]): Promise<{ code: unknown; output: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(JEST_|NODE_|SLUICE_)/.test(name)))
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env, timeout: 50_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

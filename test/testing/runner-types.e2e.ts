import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../docs/blocks.ts'
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const installed = join(root, 'node_modules')
const vitestOf = (version: string): string => join(root, 'test/vitest', version, 'node_modules/vitest')
const folders = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-types-'))

const withBuild = needs('a build (npm run build)', existsSync(join(root, 'dist/esm/testing.d.ts')))

beforeAll(() => mkdirSync(join(folders, 'programs')))

afterAll(() => rmSync(folders, { recursive: true }))

const nodeTypes = {
  '@types/node': join(installed, '@types/node'),
  'undici-types': join(installed, 'undici-types'),
}
const capture = `import { captureLogs, matchers } from 'sluice/testing'
const logs = captureLogs()
`
/** Statements that compile with a runner, and statements that must not compile. */
const expectations = `expect.extend(matchers)
expect(logs).toHaveLogged({ level: 'warn', message: /a/, attributes: { id: expect.any(Number) }, error: { type: 'Error' } })
expect(logs).not.toHaveLogged('a')
expect(logs).toHaveLoggedTimes(2, { minimumLevel: 'warn' })
expect(logs).toHaveLoggedNothing()
// @ts-expect-error a query has no such member
expect(logs).toHaveLogged({ mesage: 'a' })
// @ts-expect-error there is no such level
expect(logs).toHaveLoggedNothing({ minimumLevel: 'loud' })
// @ts-expect-error the query is missing
expect(logs).toHaveLogged()
`

withBuild('the types of sluice/testing compile without a test runner', () => {
  expect(compileErrors('none', capture, {})).toBe('')
})

withBuild('importing the matchers extends the types of @jest/globals', () => {
  const packages = { '@jest/globals': join(installed, '@jest/globals'), expect: join(installed, 'expect') }
  expect(compileErrors('jest', `import { expect } from '@jest/globals'\n${capture}${expectations}`, packages)).toBe('')
})

withBuild('importing the matchers extends the types of @types/jest', () => {
  // The relevant part of @types/jest, which conflicts with the installed types of Jest.
  const declarations = `declare namespace jest {
    interface Matchers<R, T = {}> { toBe(value: T): R; not: Matchers<R, T> }
    interface Expect { <T>(value: T): Matchers<void, T>; extend(matchers: Record<string, (this: object, received: any, ...rest: any[]) => { pass: boolean; message(): string }>): void; any(of: unknown): any }
  }
  declare const expect: jest.Expect
  `
  writeFileSync(join(folders, 'programs/jest.d.ts'), declarations)
  const program = `/// <reference path="./jest.d.ts" />\n${capture}${expectations}`
  expect(compileErrors('types-jest', program, {})).toBe('')
})

test.each(['4', '5'])('a version of Vitest is tested: %s', (version) => {
  expect(readFileSync(join(root, 'test/vitest', version, 'package.json'), 'utf8')).toContain(`"vitest": "${version}.`)
})

describe.each(['4', '5'])('Vitest %s', (version) => {
  const withVitest = needs(`Vitest (npm --prefix test/vitest/${version} ci)`, existsSync(vitestOf(version)))
  const packages = { vitest: vitestOf(version) }

  withVitest('importing the matchers extends the types of Vitest', () => {
    const program = `import { expect } from 'vitest'\n${capture}${expectations}`
    expect(compileErrors(`vitest-${version}`, program, packages)).toBe('')
  })

  withVitest('the program of the guide compiles', () => {
    const program = guideProgram('@jest/globals').replace('@jest/globals', 'vitest')
    expect(compileErrors(`guide-vitest-${version}`, program, packages)).toBe('')
  })
})

withBuild('the program of the guide compiles with @jest/globals', () => {
  const packages = { '@jest/globals': join(installed, '@jest/globals'), expect: join(installed, 'expect') }
  expect(compileErrors('guide-jest', guideProgram('@jest/globals'), packages)).toBe('')
})

withBuild('the program of the guide compiles with node:test', () => {
  expect(compileErrors('guide-node', guideProgram('node:test'), nodeTypes, 'node')).toBe('')
})

withBuild('importing the assertions extends the types of `t.assert`', () => {
  const program = `import { test } from 'node:test'
import { assertions, captureLogs } from 'sluice/testing'
const logs = captureLogs({ levels: { notice: 10 } })
test('', (t) => {
  t.assert.logged(logs, { level: 'warn', error: { type: 'Error' } })
  t.assert.loggedTimes(logs, 2, 'a')
  t.assert.loggedNothing(logs)
  assertions.logged(logs, { message: /a/ })
  // @ts-expect-error a query has no such member
  t.assert.logged(logs, { mesage: 'a' })
  // @ts-expect-error the query is missing
  assertions.logged(logs)
  // @ts-expect-error these are no captured logs
  assertions.loggedNothing({})
})
`
  expect(compileErrors('assertions', program, nodeTypes, 'node')).toBe('')
})

withBuild('the types of the runner are not extended without importing the matchers', () => {
  const packages = { '@jest/globals': join(installed, '@jest/globals'), expect: join(installed, 'expect') }
  const program = `import { expect } from '@jest/globals'\nexpect({}).toHaveLogged('a')\n`
  expect(compileErrors('without', program, packages)).toContain("'toHaveLogged' does not exist")
})

/** Returns the program of the guide that imports a runner. */
function guideProgram(runner: string): string {
  const page = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8')
  return blocksOf(page).find(({ language, text }) => language === 'js' && text.includes(runner))!.text
}

/** Returns the errors of a program compiled in a separate project that checks the package's declarations strictly. */
function compileErrors(name: string, program: string, packages: Readonly<Record<string, string>>, types = ''): string {
  const folder = join(folders, name)
  mkdirSync(join(folder, 'programs'), { recursive: true })
  for (const path of ['package.json', 'dist'])
    cpSync(join(root, path), join(folder, 'node_modules/sluice', path), { recursive: true })
  for (const [specifier, target] of Object.entries(packages)) {
    mkdirSync(dirname(join(folder, 'node_modules', specifier)), { recursive: true })
    symlinkSync(target, join(folder, 'node_modules', specifier), 'junction')
  }
  cpSync(join(folders, 'programs'), join(folder, 'programs'), { recursive: true })
  writeFileSync(join(folder, 'programs/program.mts'), program)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', types]
  try {
    return execFileSync(process.execPath, [join(installed, 'typescript/bin/tsc'), ...options, 'programs/program.mts'], {
      cwd: folder,
      encoding: 'utf8',
    })
  } catch (error) {
    const { stdout } = error as { stdout: string }
    // Ignore errors in the runners' declarations, which require the types of Node and other packages.
    const ours = stdout.split('\n').filter((line) => /^(programs|node_modules\/sluice)\//.test(line))
    return ours.join('\n')
  }
}

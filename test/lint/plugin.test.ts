import { expect, test } from '@jest/globals'
import { ESLint, Linter } from 'eslint'
import { createRequire } from 'node:module'
import plugin, { configs, meta, rules } from '../../src/entries/lint.ts'

const code = `import { createLogger } from 'sluice'
const log = createLogger()
log.info(\`user \${id}\`)
log.info('{usrId}', { userId })
log.debug('x', { a: f() })
console.log('x')
`

test('the recommended configuration reports with every rule', () => {
  const messages = new Linter().verify(code, [configs.recommended])
  expect(messages.map(({ line, ruleId, severity }) => [line, ruleId, severity])).toEqual([
    [3, 'sluice/no-template-literal', 2],
    [4, 'sluice/template-names', 2],
    [5, 'sluice/no-eager-work', 2],
    [6, 'sluice/no-console', 2],
  ])
})

test('the default export has the members of the named exports', () => {
  expect(plugin).toEqual({ meta, rules, configs })
  expect(configs.recommended.plugins).toEqual({ sluice: plugin })
  expect(meta.version).toBe((createRequire(import.meta.url)('../../package.json') as { version: string }).version)
})

test.each([[{ name: ['log'] }], [{ names: 'log' }], [{ names: [5] }], [{ levels: {} }], ['log']])(
  'ESLint rejects the options %j of each rule',
  async (options) => {
    for (const name of Object.keys(rules)) {
      const eslint = new ESLint({
        overrideConfigFile: true,
        overrideConfig: { plugins: { sluice: plugin }, rules: { [`sluice/${name}`]: ['error', options] } },
      })
      await expect(eslint.lintText(code, { filePath: 'a.js' })).rejects.toThrow(`sluice/${name}`)
    }
  },
)

const unknown =
  'settings.sluice.loggerNames2: unknown option; valid options are names, levels, bound, eagerLevels, allow'

test.each([
  [5, 'settings.sluice: must be an object with options, not a number'],
  [null, 'settings.sluice: must be an object with options, not null'],
  ['log', 'settings.sluice: must be an object with options, not a string'],
  [['log'], 'settings.sluice: must be an object with options, not an array'],
  [{ loggerNames2: ['log'] }, unknown],
  [{ name: ['log'] }, 'settings.sluice.name: unknown option; did you mean "names"?'],
  [{ loggerNames: ['log'] }, 'settings.sluice.loggerNames: unknown option; did you mean "names"?'],
  [{ names: 'log' }, 'settings.sluice.names: must be an array, not a string; write ["log"]'],
  [{ names: [5] }, 'settings.sluice.names[0]: must be a string, not a number'],
  [{ bound: [''] }, 'settings.sluice.bound[0]: must not be empty'],
  [{ eagerLevels: ['debugs'] }, 'eagerLevels: unknown level "debugs"; did you mean "debug"?'],
])('each rule throws an error with what to write for the setting %j', (sluice, message) => {
  for (const name of Object.keys(rules)) {
    const verify = () =>
      new Linter().verify(code, {
        plugins: { sluice: plugin },
        rules: { [`sluice/${name}`]: 'error' },
        settings: { sluice },
      })
    expect(verify).toThrow(message)
    expect(verify).toThrow(message) // an invalid setting is not cached as a valid one
  }
})

function verifyWithNotice(levels: readonly string[]) {
  return new Linter().verify(code, {
    plugins: { sluice: plugin },
    rules: { 'sluice/no-eager-work': ['error', { eagerLevels: ['notice'], levels }] },
  })
}

test('a rule throws an error for an unknown level in its options', () => {
  expect(() => verifyWithNotice([])).toThrow('eagerLevels: unknown level "notice"')
  expect(verifyWithNotice(['notice'])).toEqual([])
})

test.each([[{}], [undefined], [{ names: [], levels: [], bound: ['id'], eagerLevels: ['info'], allow: [] }]])(
  'the setting %j is valid',
  (sluice) => {
    expect(() => new Linter().verify(code, [configs.recommended, { settings: { sluice } }])).not.toThrow()
  },
)

test('no rule throws for code of every kind', () => {
  const programs = [
    'log.info()',
    'log.info(...args)',
    'log.info(, )',
    'log?.info?.(`${a}`)',
    'log.info(`${a}`, ...rest)',
    'log.debug(...f())',
    'class A { #log; m() { this.#log.info(`${this.#log}`) } static { log.info(`${a}`) } }',
    'log.info(a ? `${b}` : c)',
    'log.info(`${class {}}${function () {}}${/x/}${1n}${null}`)',
    'log.info({ a, ["b"]: 1, get c() { return 1 }, 1: 2, "d-e": 3 }, "{a} {d-e} {1}")',
    'import.meta.log.info(`${import.meta.url}`)',
    'new.target; for (const log of logs) log.info(`${log}`)',
    'log.debug(import("x"), new X(f()), yield_)',
    'log.debug(() => {}); log.debug(function () { return `${a}` }); log.debug(() => [, `${a}`])',
    'export default log.info(`${a}`)',
  ]
  for (const program of programs) {
    const messages = new Linter().verify(program, [configs.recommended])
    expect(messages.filter(({ ruleId, fatal }) => ruleId === null && fatal !== true)).toEqual([])
  }
})

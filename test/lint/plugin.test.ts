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

test.each([
  ['a number', 5],
  ['null', null],
  ['text', 'log'],
  ['a list of numbers', { names: [5], levels: 'debug' }],
])('the setting sluice is ignored if it is %s', (_, sluice) => {
  expect(new Linter().verify(code, [configs.recommended, { settings: { sluice } }])).toHaveLength(4)
})

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

import { afterAll, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixedCalls, fixedCallVariables } from './fixed-calls.ts'
import { logCalls, otherCalls } from './logger-rows.ts'

const plugin = fileURLToPath(new URL('../../src/entries/lint.ts', import.meta.url))
const oxlint = fileURLToPath(new URL('../../node_modules/oxlint/bin/oxlint', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'oxlint-'))
const file = join(folder, 'orders.ts')

afterAll(() => rmSync(folder, { recursive: true }))

const rules = Object.fromEntries(
  ['no-template-literal', 'template-names', 'no-eager-work', 'no-console'].map((rule) => [`sluice/${rule}`, 'error']),
)

/** Writes a TypeScript file and runs oxlint on it with the plugin. */
function lint(
  code: string,
  options: { readonly args?: readonly string[]; readonly settings?: object; readonly only?: string } = {},
) {
  const { args = [], settings = {}, only } = options
  const configuration = {
    jsPlugins: [plugin],
    categories: { correctness: 'off' },
    rules: only === undefined ? rules : { [`sluice/${only}`]: 'error' },
    settings: { sluice: settings },
  }
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(configuration))
  writeFileSync(file, code)
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', ...args, file], {
    cwd: folder,
    encoding: 'utf8',
  })
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly code: string; readonly labels: readonly { span: { line: number } }[] }[]
  }
  const found = diagnostics.map(({ code, labels }) => [labels[0]!.span.line, code] as const)
  return { found: found.toSorted(([a], [b]) => a - b), code: readFileSync(file, 'utf8') }
}

const code = `import { createLogger, type Logger } from 'sluice'
const log: Logger = createLogger({ attributes: { region: 'eu' } } as const)
export function charge(order: { id: number }, request: { log: Logger }, error: unknown): void {
  log.info(\`charged \${order!.id}\`)
  request.log.error('could not charge {ordrId}', { orderId: order.id }, error as Error)
  log.debug('{region} {order:json}', { order: JSON.parse(String(order)) as object })
  console.log('charged')
  ;(log satisfies Logger).child({ part: 1 }).info('charged {orderId} in {part} of {region}', { orderId: order.id })
}
`

test('oxlint reports with every rule of the plugin, also in TypeScript', () => {
  expect(lint(code).found).toEqual([
    [4, 'sluice(no-template-literal)'],
    [5, 'sluice(template-names)'],
    [6, 'sluice(no-eager-work)'],
    [7, 'sluice(no-console)'],
  ])
})

test('oxlint finds the same log calls as ESLint', () => {
  const rows = [...logCalls, ...otherCalls]
  const names = rows.map((_, index) => `${index}.js`)
  const overrides = rows.map(({ options = {} }, index) => ({
    files: [names[index]],
    rules: { 'sluice/no-template-literal': ['error', options] },
  }))
  // One setting is for all files, so the rows with settings have them as options.
  for (const [index, { settings }] of rows.entries())
    if (settings !== undefined) overrides[index]!.rules['sluice/no-template-literal'] = ['error', settings]
  const program = mkdtempSync(join(folder, 'rows-'))
  writeFileSync(
    join(program, '.oxlintrc.json'),
    JSON.stringify({ jsPlugins: [plugin], categories: { correctness: 'off' }, overrides }),
  )
  for (const [index, { code }] of rows.entries()) writeFileSync(join(program, names[index]!), code)
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', '.'], { cwd: program, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly filename: string }[] }
  const reported = new Set(diagnostics.map(({ filename }) => filename))
  expect(rows.filter((_, index) => reported.has(names[index]!)).map(({ what }) => what)).toEqual(
    logCalls.map(({ what }) => what),
  )
})

test('oxlint applies the suggestions of the plugin', () => {
  const fixed = lint(code, { args: ['--fix-suggestions'] })
  expect(fixed.code.split('\n').slice(3, 7)).toEqual([
    "  log.info('charged {id}', { id: order!.id })",
    "  request.log.error('could not charge {orderId}', { orderId: order.id }, error as Error)",
    "  log.debug(() => ['{region} {order:json}', { order: JSON.parse(String(order)) as object }])",
    "  log.info('charged')",
  ])
  expect(lint(fixed.code).found).toEqual([])
})

test('oxlint passes the setting sluice to the rules', () => {
  const audit =
    'declare const audit: { notice(text: string): void }\nexport const f = (a: string) => audit.notice(`${a}`)\n'
  expect(lint(audit).found).toEqual([])
  expect(lint(audit, { settings: { names: ['audit'], levels: ['notice'] } }).found).toEqual([
    [2, 'sluice(no-template-literal)'],
  ])
})

test('oxlint fails with what to write for an unknown setting', () => {
  writeFileSync(
    join(folder, '.oxlintrc.json'),
    JSON.stringify({ jsPlugins: [plugin], rules, settings: { sluice: { name: ['audit'] } } }),
  )
  const { status, stdout } = spawnSync(process.execPath, [oxlint, file], { cwd: folder, encoding: 'utf8' })
  expect(stdout).toContain('settings.sluice.name: unknown option; did you mean "names"?')
  expect(status).toBe(1)
})

const fixedCallProgram = `import { createLogger } from 'sluice'
const log = createLogger()
declare function recorded<T>(name: string, value: T): T
declare function count(): number
${fixedCallVariables}
${fixedCalls.map(({ code }) => `{ ${code} }`).join('\n')}
`

test('oxlint applies only fixes with --fix', () => {
  const { code } = lint(fixedCallProgram, { args: ['--fix'], only: 'no-template-literal' })
  expect(fixedCalls.filter((call) => code.includes(call.code))).toEqual(
    fixedCalls.filter(({ isFixed }) => isFixed !== true),
  )
})

test.each([
  ['a number', 'a: number', '', true],
  ['a text or number of a list', "a: 'x' | 5 | -1", '', true],
  ['a bigint or boolean', 'a: bigint | boolean', '', true],
  ['any text, which can contain braces', 'a: string', '', false],
  ['a text of a list with braces', "a: 'x' | '{b}'", '', false],
  ['a text of a pattern', 'a: `x${string}`', '', false],
  ['an optional number', 'a?: number', '', false],
  ['a number that is assigned later', 'a: number', 'a++', false],
])(
  'oxlint fixes a message with a parameter that is %s only if the text cannot change',
  (_, parameter, after, isFixed) => {
    const program = (args: string) =>
      `import { logger } from 'sluice'\nexport function f(${parameter}): void { logger.info(${args}); ${after} }\n`
    const { code } = lint(program('`a ${a}`, { b: 1 }'), { args: ['--fix'], only: 'no-template-literal' })
    expect(code).toBe(program(isFixed ? "'a {a}', { a, b: 1 }" : '`a ${a}`, { b: 1 }'))
  },
)

test('code that oxlint changes with --fix-suggestions compiles', () => {
  const { code } = lint(fixedCallProgram, { args: ['--fix-suggestions'], only: 'no-template-literal' })
  expect(fixedCalls.filter((call) => code.includes(call.code))).toEqual(
    fixedCalls.filter(({ isChanged }) => !isChanged),
  )
  const index = fileURLToPath(new URL('../../dist/esm/index.d.ts', import.meta.url))
  const configuration = {
    extends: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
    compilerOptions: { paths: { sluice: [index] }, noUnusedLocals: false, types: [] },
    files: [file],
    include: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  expect(stdout.split('\n').filter((line) => line.includes('orders.ts'))).toEqual([])
})

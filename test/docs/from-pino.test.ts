import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Workshop } from './workshop.ts'

const example = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/examples/${name}.ts`, import.meta.url)), 'utf8')
const changed = (text: string, from: string, to: string): string => {
  expect(text).toContain(from)
  return text.replace(from, to)
}

const workshop = new Workshop()
afterAll(() => workshop.remove())

beforeAll(() => {
  workshop.add('compare', example('compare-logs'))
  workshop.add('command', `import ${JSON.stringify(new URL('../../src/cli/main.ts', import.meta.url).href)}`)
})

const compare = (name: string, ...args: readonly string[]): Promise<string> =>
  workshop.run('compare', `../${name}/pino.log`, `../${name}/sluice.log`, ...args)

test('pino and sluice/pino write the same lines when they run side by side', async () => {
  workshop.add('both', example('dual-run'))
  expect(await workshop.run('both')).toBe('{ info: 500, error: 5, debug: 1 }\n')
  const counts = ['20: 1, 1', '30: 500, 500', '50: 5, 5']
  const head = 'level: ../both/pino.log, ../both/sluice.log'
  expect(await compare('both')).toBe([head, ...counts, '506 lines compared, 0 unequal', ''].join('\n'))
  expect(await compare('both', '100')).toBe([head, ...counts, '6 lines compared, 0 unequal', ''].join('\n'))
})

test('the comparison reports lines that differ and levels with different counts', async () => {
  const text = changed(example('dual-run'), 'sluice(options,', `sluice({ ...options, name: 'trial', level: 'error' },`)
  workshop.add('unlike', text)
  await workshop.run('unlike')
  const output = await compare('unlike')
  expect(output).toMatch(/^30: 500, 0 \(!\)$/m)
  expect(output).toMatch(/^6 lines compared, 6 unequal\n.*"name":"shop".*\n.*"name":"trial"/m)
})

test('the comparison counts the lines that pino loses on SIGTERM, and sluice/pino loses none', async () => {
  workshop.add('killed', `${example('dual-run')}\nprocess.kill(process.pid, 'SIGTERM')\n`)
  await workshop.run('killed')
  const output = await compare('killed')
  expect(output).toMatch(/^20: 0, 1 \(!\)\n30: \d+, 500 \(!\)\n50: \d, 5 \(!\)\n\d+ lines compared, 0 unequal$/m)
})

test('a program that the codemod has migrated prints the same lines as before', async () => {
  const program = [
    `import pino, { type Logger, stdSerializers } from 'pino'`,
    `const log: Logger = pino({ base: null, timestamp: false, serializers: { failure: stdSerializers.err } })`,
    `const { levels } = await import('pino')`,
    `log.child({ requestId: 'r-1' }).warn({ levels: levels.values }, 'slow: %d ms', 812)`,
    `log.error({ failure: Object.assign(new Error('no'), { stack: 'Error: no' }) })`,
  ].join('\n')
  workshop.add('app', program)
  const before = await workshop.run('app')
  expect(await workshop.run('command', 'codemod', 'pino', '--write', '../app')).toContain(
    '1 files read, 1 changed, 0 places to look at',
  )
  const after = await workshop.run('app')
  expect(before).toMatch(/"msg":"slow: 812 ms"\}\n.*"failure":\{"type":"Error"/)
  expect(after).toBe(before)
  expect(workshop.read('app')).toBe(program.replaceAll(`'pino'`, `'sluice/pino'`))
}, 30_000)

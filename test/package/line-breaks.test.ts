import { expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLineBreaks } from '../../scripts/line-breaks.ts'
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const withBuild = needs('a build (npm run build)', existsSync(join(root, 'dist/esm/index.js')))

test('lines are broken before statements and class members, and never inside text', () => {
  const long = 'x'.repeat(220)
  const code =
    `const a="${long}; b";let c=\`${long};\${(()=>{f("${long}");return 1})()}\`;` +
    `class D{static e="${long}";g(){return /${long};/}}if(a)h();else{i();}`
  const broken = withLineBreaks('code.js', code)
  expect(broken.replaceAll('\n', '')).toBe(code)
  expect(broken.split('\n').map((line) => line.slice(0, 12))).toEqual([
    'const a="xxx',
    'let c=`xxxxx',
    'f("xxxxxxxxx',
    'return 1})()',
    'g(){return /',
    'if(a)h();els',
  ])
})

test('code that cannot be parsed is rejected', () => {
  expect(() => withLineBreaks('code.js', 'const = 1')).toThrow('code.js: ')
})

withBuild('an invalid option that ends the process is reported without the code of a whole file', () => {
  const entry = join(root, 'dist/esm/index.js')
  const program = `import { createLogger } from ${JSON.stringify(entry)}; createLogger({ levl: 'info' })`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain('createLogger: levl: unknown option; did you mean "level"?')
  expect(stderr.length).toBeLessThan(3_000)
})

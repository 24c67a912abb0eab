import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importOf, runChild } from '../../support/processes/child.ts'

/** Contains the programs and the packages that they can load. */
let directory: string

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-copies-')))
  place('app')
  place('elsewhere')
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Creates a directory with a package `marker` that prints where it was loaded from. */
function place(name: string): void {
  write(`${name}/node_modules/marker/index.js`, `console.log('loaded from ${name}')`)
}

function write(path: string, text: string): string {
  const full = join(directory, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

const load = `${importOf('{ loadCopiesOf }', 'src/otel/provider/package-copies.ts')}
  console.log(loadCopiesOf('marker').length)
`
const [found, nothing] = ['loaded from app\n1\n', '0\n']

/** Runs a program in the directory `from` and returns its output. With `input` it is read from stdin. */
async function loaded(from: string, args: readonly string[], input = false): Promise<string> {
  const command = input ? 'sh' : process.execPath
  const given = input ? ['-c', `"${process.execPath}" - "$2" < "$1"`, 'sh', ...args] : args
  const { stdout, stderr } = await runChild({
    command,
    args: given,
    cwd: join(directory, from),
    env: { NODE_PATH: '' },
  })
  expect(stderr).toBe('')
  return stdout
}

describe('package copies for a program file', () => {
  test('a program file loads its own packages, and none that only the working directory has', async () => {
    const path = write('app/main.mjs', load)
    const alone = write('alone/main.mjs', load)
    expect(await loaded('app', ['main.mjs'])).toBe(found)
    expect(await loaded('elsewhere', [path])).toBe(found)
    expect(await loaded('elsewhere', [alone])).toBe(nothing)
    expect(await loaded('elsewhere', [alone, join(directory, 'app/main.mjs')])).toBe(nothing)
  })

  test('packages are found when a program is started by directory, without extension or by link', async () => {
    write('app/package.json', '{ "main": "start.js" }')
    write('app/start.js', `import('${pathToFileURL(join(directory, 'app/main.mjs')).href}')`)
    symlinkSync(join(directory, 'app/start.js'), join(directory, 'elsewhere/link.js'))
    write('bin/node_modules/tool/cli.js', `import('${pathToFileURL(write('bin/load.mjs', load)).href}')`)
    mkdirSync(join(directory, 'app/node_modules/.bin'))
    symlinkSync(join(directory, 'bin/node_modules/tool/cli.js'), join(directory, 'app/node_modules/.bin/tool'))
    expect(await loaded('app', ['.'])).toBe(found)
    expect(await loaded('bin', [join(directory, 'app')])).toBe(found)
    expect(await loaded('bin', [join(directory, 'app/start')])).toBe(found)
    expect(await loaded('bin', [join(directory, 'app/node_modules/.bin/tool')])).toBe(found)
    rmSync(join(directory, 'elsewhere/node_modules'), { recursive: true })
    expect(await loaded('bin', [join(directory, 'elsewhere/link.js')])).toBe(found)
    place('elsewhere')
  })

  test.each([
    ['source text', `new Worker(${JSON.stringify(`import(${JSON.stringify('LOAD')})`)}, { eval: true })`],
    ['a data URL', `new Worker(new URL('data:text/javascript,import(' + JSON.stringify('LOAD') + ')'))`],
  ])('a worker that is created from %s does not load packages of the working directory', async (_, worker) => {
    const url = pathToFileURL(write('alone/load.mjs', load)).href
    const program = `import { Worker } from 'node:worker_threads'\n${worker.replace('LOAD', url)}`
    const path = write('alone/workers.mjs', program)
    expect(await loaded('elsewhere', [path])).toBe(nothing)
  })
})

describe('package copies for a program from --eval or stdin', () => {
  test('a program from --eval or stdin loads packages of the working directory, not of its argument', async () => {
    const argument = write('elsewhere/data.json', '{}')
    write('empty/load.mjs', load)
    expect(await loaded('app', ['--input-type=module', '--eval', load, argument])).toBe(found)
    expect(await loaded('empty', ['--input-type=module', '--eval', load, argument])).toBe(nothing)
    expect(await loaded('app', [join(directory, 'empty/load.mjs'), argument], true)).toBe(found)
  })
})

import { spawn } from 'node:child_process'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { numbered, outcomesIn, published, root, type Outcome, type PinoCopy } from './suite.ts'

const program = 'types/pino.ts'

/** Runs pino's type tests with the declarations of this package. Each assertion and each compilation is a test. */
export async function typeOutcomes(copy: PinoCopy): Promise<Outcome[]> {
  const { directory } = copy
  // pino's tests import its main file by path, so only the types of its `export =` are tested.
  const main = JSON.stringify(join(root, 'dist/cjs/pino.js'))
  writeFileSync(join(directory, 'pino.d.ts'), `import pino = require(${main})\nexport = pino\n`)
  const results = [...(await assertions(directory)), ...(await programOutcomes(directory))]
  return numbered(results)
}

/** Returns the type test files, relative to pino's test folder. */
export function typeTestFiles(): string[] {
  const files = readdirSync(join(published, 'test/types')).filter((name) => name.includes('.tst.'))
  return [...files.map((name) => `types/${name}`), program]
}

async function assertions(directory: string): Promise<Outcome[]> {
  const reporter = join(import.meta.dirname, 'type-reporter.js')
  const { output } = await run(directory, [bin('tstyche/dist/bin.js'), '--reporters', reporter])
  return outcomesIn(output, (path) => relative(join(directory, 'test'), path).replaceAll('\\', '/'))
}

/** Compiles and runs a program that uses the types. */
async function programOutcomes(directory: string): Promise<Outcome[]> {
  const compiled = await run(directory, [bin('typescript/bin/tsc'), '-p', 'test/types/tsconfig.json'])
  const fault = compiled.output.split('\n').find((line) => line.includes(`${program}(`)) ?? ''
  // The extension .mts makes Node strip types although the package does not set `"type": "module"`.
  const copy = join(directory, 'test', program.replace('.ts', '-program.mts'))
  cpSync(join(directory, 'test', program), copy)
  const { code } = await run(directory, [copy])
  return [
    { file: program, title: 'compiles', passed: fault === '', error: fault },
    { file: program, title: 'runs', passed: code === 0, error: code === 0 ? '' : `exit code ${code}` },
  ]
}

function bin(path: string): string {
  return join(import.meta.dirname, 'node_modules', path)
}

async function run(cwd: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>])
  return { code, output }
}

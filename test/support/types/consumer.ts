import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** A project outside this package that imports the built package as `sluice`. */
export interface Consumer extends Disposable {
  readonly folder: string
  /** Compiles a program with the strict options and returns the compiler's output. */
  compile(program: string): string
}

export function createConsumer(): Consumer {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-consumer-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/sluice'), 'junction')
  const types = join(root, 'node_modules/@types')
  return {
    folder,
    compile(program) {
      writeFileSync(join(folder, 'program.mts'), program)
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--pretty', 'false']
      const args = [compiler, ...options, '--types', 'node', '--typeRoots', types, 'program.mts']
      try {
        return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

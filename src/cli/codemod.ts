import { existsSync } from 'node:fs'
import { migrateFiles } from '../codemod/migrate-files.ts'
import type { ParsedArguments } from './options/parse-arguments.ts'
import { UsageError } from './options/usage-error.ts'

/** Runs `sluice codemod pino FILE…`, and returns the exit code. */
export function runCodemod({ options, operands }: ParsedArguments): number {
  const [library, ...paths] = operands
  if (library === undefined) {
    throw new UsageError('codemod: write the library to migrate from and its files, such as sluice codemod pino src')
  }
  if (library !== 'pino') throw new UsageError(`codemod: cannot migrate from '${library}', only from pino`)
  if (paths.length === 0) throw new UsageError('codemod: write files or directories, such as sluice codemod pino src')
  const missing = paths.filter((path) => !existsSync(path))
  if (missing.length > 0) {
    throw new UsageError(`codemod: ${missing.join(', ')}: no such file or directory; no file was changed`)
  }
  migrateFiles(paths, options.has('write'))
  return 0
}

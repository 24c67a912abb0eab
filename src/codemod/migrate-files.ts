import { globSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { migratePino, type Migration, type Remark } from './pino.ts'

/** A file and its migration. */
interface Program extends Migration {
  readonly path: string
  /** The text of the file; undefined if it could not be read as UTF-8. */
  readonly source: string | undefined
}

const programPattern = '**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx}'

/**
 * Migrates source files from pino to sluice/pino, and prints the changes and the places to check manually.
 *
 * @param paths - files, and directories that contain files
 * @param shouldWrite - whether the files are changed; otherwise the changes are listed only
 */
export function migrateFiles(paths: readonly string[], shouldWrite: boolean): void {
  // A file that cannot be read is reported and skipped. All others are read before the first is written, so that an error which ends the
  // program before that leaves all of them unchanged.
  const programs = uniqueFiles(paths.flatMap(filesOf)).toSorted().map(readProgram)
  const results = shouldWrite ? programs.map(writeProgram) : programs
  for (const result of results) printChanges(result)
  const readPrograms = results.filter(({ source }) => source !== undefined)
  const changedCount = readPrograms.filter(({ source, text }) => text !== source).length
  const remarkCount = results.reduce((sum, { remarks }) => sum + remarks.length, 0)
  console.log(
    `${readPrograms.length} files read, ${changedCount} ${shouldWrite ? 'changed' : 'to change'}, ${remarkCount} places to look at`,
  )
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return globSync(programPattern, { cwd: path, exclude: isExcluded }).map((file) => join(path, file))
}

function isExcluded(name: string): boolean {
  return /(?:^|\/)(?:node_modules|\.[^/.][^/]*)$/.test(name)
}

/** Returns one path for each file, without directories and pipes. */
function uniqueFiles(paths: readonly string[]): string[] {
  const pathByRealPath = new Map<string, string>()
  for (const path of paths) {
    const realPath = realPathOf(path)
    if (realPath !== undefined && !pathByRealPath.has(realPath)) pathByRealPath.set(realPath, path)
  }
  return [...pathByRealPath.values()]
}

/** Returns the absolute path of a file, with symbolic links resolved; undefined for a directory or a pipe. */
function realPathOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? realpathSync(path) : undefined
  } catch {
    return resolve(path) // Reading the file reports the error.
  }
}

function readProgram(path: string): Program {
  let source: string
  try {
    const bytes = readFileSync(path)
    source = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    if (!Buffer.from(source).equals(bytes)) return unchanged(path, undefined, 'the file is not UTF-8')
  } catch (error) {
    return unchanged(path, undefined, (error as Error).message)
  }
  try {
    return { path, source, ...(source.includes('pino') ? migratePino(source, path) : { text: source, remarks: [] }) }
  } catch (error) {
    return unchanged(path, source, (error as Error).message)
  }
}

/** Writes a program if it has changed. If that fails, returns it as unchanged. */
function writeProgram(program: Program): Program {
  const { path, source, text } = program
  if (text === source || source === undefined) return program
  try {
    writeFileSync(path, text)
    return program
  } catch (error) {
    return unchanged(path, source, (error as Error).message)
  }
}

/** Returns a program that stays unchanged, with the reason. */
function unchanged(path: string, source: string | undefined, reason: string): Program {
  return { path, source, text: source ?? '', remarks: [{ line: 1, text: `not changed: ${reason}` }] }
}

/** Prints the changes and remarks of a file. */
function printChanges({ path, source = '', text, remarks }: Program): void {
  const [before, after] = [source.split('\n'), text.split('\n')]
  const lines = before.flatMap((line, index) => {
    const diff =
      line === after[index] ? [] : [`${index + 1}: - ${line.trim()}`, `${index + 1}: + ${after[index]?.trim()}`]
    return diff.concat(remarks.filter((remark) => remark.line === index + 1).map(remarkText))
  })
  if (lines.length > 0) console.log([relative('', path), ...lines].join('\n  '))
}

function remarkText({ line, text }: Remark): string {
  return `${line}: ? ${text}`
}

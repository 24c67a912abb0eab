import { existsSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Not in one expression with `new URL`: webpack would take that for a file which it has to find, and fail without it.
const code = import.meta.url

/**
 * Where a program of this package is that a process or a thread of its own runs: in the sources by its path, in a build one
 * file for both formats, and beside the bundle, or beside the main file of the program where the bundle does not know where
 * it is, if somebody has put it there. A bundler that does not know of it leaves it behind; then undefined.
 *
 * @param path where it stands below this file, without its extension.
 * @param extension the extension of the built file.
 */
export function ownProgram(path: string, extension = '.mjs'): string | undefined {
  return placesOf(path, extension).find((place) => existsSync(place))
}

/** The path of a program that somebody names, as a path or `file:` URL; undefined where there is no such file. */
export function namedProgram(named: string | URL): string | undefined {
  const path = typeof named === 'string' && !named.startsWith('file:') ? named : pathOf(named)
  return path !== undefined && existsSync(path) ? path : undefined
}

function placesOf(path: string, extension: string): string[] {
  const from = pathOf(code)
  if (from !== undefined && extname(from) === '.ts') return [join(dirname(from), `${path}.ts`)]
  const file = `${basename(path)}${extension}`
  const ours = from === undefined ? [] : [join(dirname(from), file), join(dirname(from), '..', file)]
  return [...ours, ...besideMain(file)]
}

function besideMain(file: string): string[] {
  const [, main] = process.argv
  // Of a program that is text, its first argument stands there.
  return main !== undefined && isAbsolute(main) && !Object.hasOwn(process, '_eval') ? [join(dirname(main), file)] : []
}

function pathOf(place: string | URL | undefined): string | undefined {
  try {
    return fileURLToPath(place!)
  } catch {
    return undefined // no file, or a bundle that does not know where it is
  }
}

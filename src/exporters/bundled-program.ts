import { existsSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Do not combine this with `new URL` in one expression: webpack would try to resolve it as an asset, and fail the build.
const code = import.meta.url

/**
 * Returns the path of a program of this package that runs in its own process or thread, or undefined if it does not exist, for
 * example because a bundler omitted it. In the sources it is the file at that path. In a build it is one file for both module
 * formats, in the directory of the bundle or its parent. If it is not there, or the location of the bundle is unknown, it is
 * the file next to the program's main file, where a user can put it.
 *
 * @param path - The path relative to this file, without its extension.
 * @param extension - The extension of the built file.
 */
export function findBundledProgram(path: string, extension = '.mjs'): string | undefined {
  return candidatePaths(path, extension).find((place) => existsSync(place))
}

/** Returns the path of a program that the user configured as a path or a `file:` URL, or undefined if that file does not exist. */
export function findConfiguredProgram(named: string | URL): string | undefined {
  const path = typeof named === 'string' && !named.startsWith('file:') ? named : pathOf(named)
  return path !== undefined && existsSync(path) ? path : undefined
}

function candidatePaths(path: string, extension: string): string[] {
  const from = pathOf(code)
  if (from !== undefined && extname(from) === '.ts') return [join(dirname(from), `${path}.ts`)]
  const file = `${basename(path)}${extension}`
  const nextToModule = from === undefined ? [] : [join(dirname(from), file), join(dirname(from), '..', file)]
  return [...nextToModule, ...nextToMain(file)]
}

function nextToMain(file: string): string[] {
  const [, main] = process.argv
  // With `node -e`, argv[1] is the first argument of the program, not a path.
  return main !== undefined && isAbsolute(main) && !Object.hasOwn(process, '_eval') ? [join(dirname(main), file)] : []
}

function pathOf(place: string | URL | undefined): string | undefined {
  try {
    return fileURLToPath(place!)
  } catch {
    return undefined // not a file, or a bundle whose location is unknown
  }
}

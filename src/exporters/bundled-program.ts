import { existsSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Do not pass `import.meta.url` to `new URL` directly: webpack would try to resolve the URL as an asset, and fail the build.
const moduleUrl = import.meta.url

/**
 * Returns the path of a program of this package that runs in its own process or thread, or undefined if it does not exist, for
 * example because a bundler omitted it. In the sources, it is the file at the given path. In a build, it is one file for both module
 * formats, in the directory of this module or its parent. If that file is missing, or the location of this module is unknown, the
 * file is searched next to the main file of the process, where a user can put it.
 *
 * @param path - The path relative to this file, without its extension.
 * @param extension - The extension of the built file.
 */
export function findBundledProgram(path: string, extension = '.mjs'): string | undefined {
  return candidatePaths(path, extension).find((candidate) => existsSync(candidate))
}

/** Returns the path of a program that the user configured as a path or a `file:` URL, or undefined if that file does not exist. */
export function findConfiguredProgram(program: string | URL): string | undefined {
  const path = typeof program === 'string' && !program.startsWith('file:') ? program : filePathOf(program)
  return path !== undefined && existsSync(path) ? path : undefined
}

function candidatePaths(path: string, extension: string): string[] {
  const modulePath = filePathOf(moduleUrl)
  if (modulePath !== undefined && extname(modulePath) === '.ts') return [join(dirname(modulePath), `${path}.ts`)]
  const fileName = `${basename(path)}${extension}`
  const nextToModule =
    modulePath === undefined ? [] : [join(dirname(modulePath), fileName), join(dirname(modulePath), '..', fileName)]
  return [...nextToModule, ...nextToMain(fileName)]
}

/** Returns the path of a file next to the main file of the process, or an empty array if the process has no main file. */
function nextToMain(fileName: string): string[] {
  const [, mainPath] = process.argv
  // With `node -e`, argv[1] is the first argument of the program, not a path.
  return mainPath !== undefined && isAbsolute(mainPath) && !Object.hasOwn(process, '_eval')
    ? [join(dirname(mainPath), fileName)]
    : []
}

/** Returns the path of a `file:` URL, or undefined for anything else. */
function filePathOf(url: string | URL | undefined): string | undefined {
  try {
    return fileURLToPath(url!)
  } catch {
    return undefined // not a `file:` URL, or `import.meta.url` is undefined, as in some bundles
  }
}

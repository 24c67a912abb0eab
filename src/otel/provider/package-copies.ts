import * as nodeModule from 'node:module'
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread } from '../../platform/node/main-thread.ts'
import { member } from '../../options/own-members.ts'

/**
 * Loads and returns the copies of a package: those that the application's main file and this package resolve, each with `require` and
 * with `import`, which can be two modules with separate state. The application's own copy comes first. Returns an empty array if
 * the package is not installed. Never throws.
 */
export function loadCopiesOf(name: string): object[] {
  const copies = new Map<string, object>()
  for (const baseUrl of baseUrls()) {
    for (const path of modulePathsOf(name, baseUrl)) {
      const copy = copies.has(path) ? undefined : load(path, baseUrl)
      if (copy !== undefined) copies.set(path, copy)
    }
  }
  return [...new Set(copies.values())]
}

/** Returns the URLs from which packages are resolved: of the application's main file, and of this file. */
function baseUrls(): string[] {
  return [...mainFilePaths().map((path) => pathToFileURL(path).href), import.meta.url]
}

/**
 * Returns the paths of the application's main file: the path as in `process.argv`, which may be a link in `node_modules/.bin`, and its
 * real path. If there is no main file (`--eval`, a REPL, standard input), returns a path in the working directory, except in a worker. If
 * there is a main file, the working directory is not used, because anyone may have written the modules in the directory where a program was
 * started.
 */
function mainFilePaths(): string[] {
  const [, mainFile] = process.argv
  // With `--eval`, this is the first argument for the program, which may be the path of a file.
  const hasMainFile = mainFile !== undefined && isAbsolute(mainFile) && !Object.hasOwn(process, '_eval')
  if (hasMainFile) return [...new Set([mainFile, resolvedPath(mainFile)])]
  // A worker can run from text and so have no main file, although the application has one.
  return isMainThread ? pathInWorkingDirectory() : []
}

/** Returns the path of a file in the working directory, which need not exist; none if the directory is unknown. */
function pathInWorkingDirectory(): string[] {
  try {
    return [join(process.cwd(), 'main.js')]
  } catch {
    return [] // the directory was removed
  }
}

/** Returns the real path of the main file, which may be named without its extension or by its directory. */
function resolvedPath(mainFile: string): string {
  try {
    return nodeModule.createRequire(import.meta.url).resolve(mainFile)
  } catch {
    return mainFile
  }
}

/** Returns the paths of the modules that `require` and `import` of a package load. */
function modulePathsOf(name: string, baseUrl: string): string[] {
  try {
    const required = nodeModule.createRequire(baseUrl).resolve(name)
    return [required, ...importedPathsOf(name, baseUrl)]
  } catch {
    return []
  }
}

/**
 * Returns the path of the module that `import` loads, if it is known. Node resolves imports only asynchronously, so the `exports` for `.`
 * of the package's `package.json` are read instead.
 */
function importedPathsOf(name: string, baseUrl: string): string[] {
  try {
    const manifest = nodeModule.findPackageJSON(name, baseUrl)!
    const exports = member(JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: ExportsTarget }, 'exports')
    const target = typeof exports === 'object' && Object.hasOwn(exports, '.') ? exports['.'] : exports
    const path = resolveTarget(target)
    return path === undefined ? [] : [join(manifest, '..', path)]
  } catch {
    return [] // this version of Node has no `findPackageJSON`, or there is no valid `package.json`
  }
}

type ExportsTarget = string | { readonly [condition: string]: ExportsTarget } | undefined

/** Returns the path in a target of `exports` that applies to `import` in Node. */
function resolveTarget(target: ExportsTarget): string | undefined {
  if (typeof target !== 'object' || target === null) return target
  for (const [condition, inner] of Object.entries(target)) {
    const path = ['node', 'import', 'module-sync', 'default'].includes(condition) ? resolveTarget(inner) : undefined
    if (path !== undefined) return path
  }
  return undefined
}

function load(path: string, baseUrl: string): object | undefined {
  try {
    return nodeModule.createRequire(baseUrl)(path) as object
  } catch {
    return undefined // a module with top-level await, or a broken installation
  }
}

import * as nodeModule from 'node:module'
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread } from '../../platform/node/main-thread.ts'
import { member } from '../../options/own-members.ts'

/**
 * Loads and returns the application's copies of a package: those that its main file and this package resolve, each through
 * `require` and `import`, which are two modules with separate state. The application's own copy comes first. Returns an empty array
 * when there is none. Never throws.
 */
export function copiesOf(name: string): object[] {
  const copies = new Map<string, object>()
  for (const base of bases()) {
    for (const path of entriesOf(name, base)) {
      const copy = copies.has(path) ? undefined : load(path, base)
      if (copy !== undefined) copies.set(path, copy)
    }
  }
  return [...new Set(copies.values())]
}

function bases(): string[] {
  return [...programPaths().map((path) => pathToFileURL(path).href), import.meta.url]
}

/**
 * Returns the paths from which the application's own modules are resolved: its main file as named, which may be a link in
 * `node_modules/.bin`, and its real path. The working directory is used only when there is no main file (`--eval`, a REPL, standard
 * input), because anyone may have written the modules in the directory where a program was started.
 */
function programPaths(): string[] {
  const [, named] = process.argv
  // With `--eval`, this is the first argument of the program, which may be the path of a file.
  const isFile = named !== undefined && isAbsolute(named) && !Object.hasOwn(process, '_eval')
  if (isFile) return [...new Set([named, realPath(named)])]
  // A worker may run from text although the application has a main file.
  return isMainThread ? workingDirectory() : []
}

function workingDirectory(): string[] {
  try {
    return [join(process.cwd(), 'main.js')]
  } catch {
    return [] // the directory was removed
  }
}

/** Resolves the main file, which may be given without its extension or as a directory. */
function realPath(named: string): string {
  try {
    return nodeModule.createRequire(import.meta.url).resolve(named)
  } catch {
    return named
  }
}

/** Returns the paths of the modules that `require` and `import` load. */
function entriesOf(name: string, base: string): string[] {
  try {
    const required = nodeModule.createRequire(base).resolve(name)
    return [required, ...importedOf(name, base)]
  } catch {
    return []
  }
}

/**
 * Returns the path that `import` loads. Node resolves imports only asynchronously, so the `exports` for `.` of the package's
 * `package.json` are read instead.
 */
function importedOf(name: string, base: string): string[] {
  try {
    const manifest = nodeModule.findPackageJSON(name, base)!
    const exports = member(JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: Target }, 'exports')
    const target = typeof exports === 'object' && Object.hasOwn(exports, '.') ? exports['.'] : exports
    const path = resolveTarget(target)
    return path === undefined ? [] : [join(manifest, '..', path)]
  } catch {
    return [] // `findPackageJSON` is missing, or the package has no `exports`
  }
}

type Target = string | { readonly [condition: string]: Target } | undefined

function resolveTarget(target: Target): string | undefined {
  if (typeof target !== 'object' || target === null) return target
  for (const [condition, inner] of Object.entries(target)) {
    const path = ['node', 'import', 'module-sync', 'default'].includes(condition) ? resolveTarget(inner) : undefined
    if (path !== undefined) return path
  }
  return undefined
}

function load(path: string, base: string): object | undefined {
  try {
    return nodeModule.createRequire(base)(path) as object
  } catch {
    return undefined // a module with top-level await, or a broken installation
  }
}

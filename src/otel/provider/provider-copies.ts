import * as nodeModule from 'node:module'
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread } from '../../platform/node/main-thread.ts'
import { member } from '../../options/own-members.ts'

/**
 * The copies of a package that the application has: what its main file and this package see, each as `require` and as
 * `import` loads it, which are two modules with a state of their own. They are loaded by this. The application's own comes
 * first. Empty where there is none; never throws.
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
 * Where the application's own modules are looked up: from its main file, as it was named, which may be a link in
 * `node_modules/.bin`, and as it is. The working directory counts only where there is no such file (`--eval`, a REPL, standard
 * input): anybody may have written what a program finds where it was started.
 */
function programPaths(): string[] {
  const [, named] = process.argv
  // Of a program that is text, its first argument stands there, which may be a file.
  const isFile = named !== undefined && isAbsolute(named) && !Object.hasOwn(process, '_eval')
  if (isFile) return [...new Set([named, realPath(named)])]
  // A worker may be text where the application is a file.
  return isMainThread ? workingDirectory() : []
}

function workingDirectory(): string[] {
  try {
    return [join(process.cwd(), 'main.js')]
  } catch {
    return [] // it was removed
  }
}

/** A program may be named without its extension, or by its directory. */
function realPath(named: string): string {
  try {
    return nodeModule.createRequire(import.meta.url).resolve(named)
  } catch {
    return named
  }
}

/** Paths of what `require` and what `import` gets. */
function entriesOf(name: string, base: string): string[] {
  try {
    const required = nodeModule.createRequire(base).resolve(name)
    return [required, ...importedOf(name, base)]
  } catch {
    return []
  }
}

/** Node tells this only to asynchronous code, so that the package's own words are read: its `exports` for `.`. */
function importedOf(name: string, base: string): string[] {
  try {
    const manifest = nodeModule.findPackageJSON(name, base)!
    const exports = member(JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: Target }, 'exports')
    const target = typeof exports === 'object' && Object.hasOwn(exports, '.') ? exports['.'] : exports
    const path = chosen(target)
    return path === undefined ? [] : [join(manifest, '../..', path)]
  } catch {
    return [] // a runtime without such a function, or a package without exports
  }
}

type Target = string | { readonly [condition: string]: Target } | undefined

function chosen(target: Target): string | undefined {
  if (typeof target !== 'object' || target === null) return target
  for (const [condition, inner] of Object.entries(target)) {
    const path = ['node', 'import', 'module-sync', 'default'].includes(condition) ? chosen(inner) : undefined
    if (path !== undefined) return path
  }
  return undefined
}

function load(path: string, base: string): object | undefined {
  try {
    return nodeModule.createRequire(base)(path) as object
  } catch {
    return undefined // a module that waits at its top level, or a broken installation
  }
}

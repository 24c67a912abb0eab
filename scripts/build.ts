// Writes dist/: one bundle for `import`, one for `require`, and the declarations of both.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { rolldown, type InputOptions, type OutputOptions } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }
import { publicNamesOf, withoutInternalComments } from './declarations.ts'

rmSync('dist', { recursive: true, force: true })

/** What is bundled for every entry in the same way. */
const common: InputOptions = {
  // Every bare name. A drive letter is the start of a path.
  external: /^(?![./]|[a-z]:)/i,
  transform: { target: 'node22.15' },
}

/** Comments are for declarations: in the code they were a sixth of what is installed. Bundlers read the annotations. */
const comments = { legal: true, annotation: true, jsdoc: false }

/**
 * Halves what is installed, and Node compiles it 2 ms faster. Names of functions and classes stay, for stack traces. Code is not
 * compressed, because a compressor removes reads without a use, such as those that make V8 flatten a string.
 */
const minify: OutputOptions['minify'] = {
  compress: false,
  mangle: { keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true, asciiOnly: true },
}

writeDeclarations()
const inputs = entries()
// A chunk for each set of entries that share modules: module state exists once however many entries a program loads,
// and a program loads nothing that only others need. A logger to the standard output does without HTTP. What `sluice` loads
// is three chunks, though others need parts of them: a dozen files took 4 ms more to load. What `sluice/core` loads is one of
// them, which uses nothing of Node, and what other entries for the edge load is another.
const logger = await modulesOf([inputs['index']!])
const core = await modulesOf([inputs['core']!])
const edge = await modulesOf(['http', 'hono', 'next'].map((name) => inputs[name]!))
await writeEntries([
  { name: 'core', test: (id) => logger.has(id) && core.has(id) },
  { name: 'edge', test: (id) => logger.has(id) && edge.has(id) },
  { name: 'logger', test: (id) => logger.has(id) },
])
await writeProgram('writer-process', 'src/exporters/process/writer-process.ts')
await writeProgram('otlp-exit-worker', 'src/exporters/otlp/otlp-exit-worker.ts')
await writeProgram('pino-worker', 'src/compat/pino/pino-worker.ts')
await writeYamlParser()
hardenExports()
makeCallable('pino')
writeFileSync('dist/cjs/package.json', '{"type":"commonjs"}\n')

/** The modules that entries load. */
async function modulesOf(input: string[]): Promise<ReadonlySet<string>> {
  const bundle = await rolldown({ ...common, platform: 'node', input })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return new Set(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])))
}

interface Group {
  readonly name: string
  readonly test: (id: string) => boolean
}

/** The first group that takes a module has it. */
async function writeEntries(groups: Group[]): Promise<void> {
  const bundle = await rolldown({ ...common, platform: 'node', input: inputs })
  for (const format of ['esm', 'cjs'] as const) {
    await bundle.write({
      dir: `dist/${format}`,
      format,
      exports: 'named',
      minify,
      comments,
      entryFileNames: '[name].js',
      chunkFileNames: 'shared-[name].js',
      codeSplitting: { groups },
    })
  }
  await bundle.close()
}

/**
 * Rewrites how the bundler exports for `require`, so that no property of `Object.prototype` has an effect on it. Descriptors inherit
 * nothing, because with an inherited `get` or `value` they are not valid. `exports` inherits nothing either, as the namespace of a
 * module does not: an assignment to it is blocked by a read-only property of the same name, such as `info`.
 */
function hardenExports(): void {
  for (const path of globSync('dist/cjs/*.js')) {
    const text = readFileSync(path, 'utf8')
      .replace(/Object\.defineProperty\(exports,[^,]+,\{/g, '$&__proto__:null,')
      .replace(/Object\.defineProperties\(exports,\{.*?\}\}\)/, (all) => all.replaceAll(':{', ':{__proto__:null,'))
      // Descriptors of the bundler's own functions.
      .replace(/(?<=\b\w\(\w,(?:\w|`default`),)\{(?=get:|value:)/g, '{__proto__:null,')
    const assigns = /\bexports\.[\w$]+=/.test(text)
    writeFileSync(path, assigns ? `Object.setPrototypeOf(exports,null);${text}` : text)
  }
}

/** `require` of an entry whose default export is a function that has all the others as members gets that function. */
function makeCallable(name: string): void {
  appendFileSync(`dist/cjs/${name}.js`, '\nmodule.exports = exports.default\n')
  renameSync(`dist/cjs/${name}.d.ts`, `dist/cjs/${name}-names.d.ts`)
  const types = `import names from './${name}-names.js'\nexport = names\n`
  writeFileSync(`dist/cjs/${name}.d.ts`, types)
}

/**
 * Writes a program that a process or a thread of its own runs. It is one file, and one for both formats, so that whoever bundles the
 * library can put it beside the bundle; it is small, since each start reads it.
 */
async function writeProgram(name: string, input: string): Promise<void> {
  const program = await rolldown({ input, external: /^node:/, platform: 'node', transform: { target: 'node22.15' } })
  await program.write({ file: `dist/${name}.mjs`, format: 'esm', minify, comments, codeSplitting: false })
  await program.close()
}

/**
 * Writes the YAML parser into a file of its own, which is required when there is a configuration file, by either format. It is
 * minified, because nobody reads it there, and begins with its license.
 */
async function writeYamlParser(): Promise<void> {
  const parser = await rolldown({
    input: 'src/otel/configuration-file/yaml-parser.ts',
    // Not for Node: yaml's other build is ESM, so that unused parts can be left out.
    platform: 'neutral',
    transform: common.transform!,
    treeshake: { moduleSideEffects: false },
  })
  const file = 'dist/yaml-parser.cjs'
  await parser.write({ file, format: 'cjs', minify: true, codeSplitting: false })
  await parser.close()
  const { version } = JSON.parse(readFileSync('node_modules/yaml/package.json', 'utf8')) as { version: string }
  const license = readFileSync('node_modules/yaml/LICENSE', 'utf8')
  writeFileSync(file, `/*! yaml ${version}\n\n${license}*/\n${readFileSync(file, 'utf8')}`)
}

/** Lists the entries by package.json's `exports`: dist/esm/node.js is built from src/entries/node.ts. */
function entries(): Record<string, string> {
  const targets = Object.values(manifest.exports).filter((target) => typeof target === 'object')
  const names = targets.map((target) => target.import.default.slice('./dist/esm/'.length, -'.js'.length))
  return Object.fromEntries(names.map((name) => [name, `src/entries/${name}.ts`]))
}

/**
 * Writes the declarations once, for `require`. Those for `import` are one small file an entry that exports them, so that a class or
 * symbol has one type in both formats. A module can import CommonJS declarations; the reverse is an error for `require`.
 */
function writeDeclarations(): void {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', 'dist/cjs']
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  // tsc leaves the .ts of `./x.ts` in declarations, which a consumer's compiler refuses.
  for (const path of globSync('dist/cjs/**/*.d.ts')) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/((?:from|import\()\s*["']\.{1,2}\/[^"']+)\.ts(?=["'])/g, '$1.js'))
  }
  // An entry's declarations are next to its code.
  for (const path of globSync('dist/cjs/entries/*.d.ts')) {
    const text = readFileSync(path, 'utf8').replace(/((?:from|import\(|module)\s*["'])\.\.\//g, '$1./')
    writeFileSync(join('dist/cjs', basename(path)), text)
  }
  rmSync('dist/cjs/entries', { recursive: true })
  const names = Object.keys(entries())
  const paths = names.map((name) => join('dist/cjs', `${name}.d.ts`))
  removeUnreachable(paths)
  // A fifth of all declarations.
  const files = new Map(globSync('dist/cjs/**/*.d.ts').map((path) => [path, readFileSync(path, 'utf8')]))
  const publicNames = publicNamesOf(paths, files)
  for (const [path, text] of files) writeFileSync(path, withoutInternalComments(text, publicNames))
  mkdirSync('dist/esm')
  for (const name of names) writeFileSync(`dist/esm/${name}.d.ts`, moduleDeclaration(name))
}

/** An entry's declarations for `import`. The default export of CommonJS declarations would be all of them, so these are copied. */
function moduleDeclaration(name: string): string {
  const text = readFileSync(`dist/cjs/${name}.d.ts`, 'utf8')
  if (!/^export default /m.test(text)) return `export * from '../cjs/${name}.js'\n`
  return text.replace(/((?:from|import\()\s*["'])\.\//g, '$1../cjs/')
}

/** Deletes the declarations that no entry's types lead to: half of what would be installed. */
function removeUnreachable(entries: readonly string[]): void {
  const reached = new Set(entries)
  for (const path of reached) {
    for (const [, specifier] of readFileSync(path, 'utf8').matchAll(
      /(?:from|import\()\s*["'](\.{1,2}\/[^"']+)\.js["']/g,
    )) {
      reached.add(join(dirname(path), `${specifier}.d.ts`))
    }
  }
  for (const path of globSync('dist/cjs/**/*.d.ts')) if (!reached.has(path)) rmSync(path)
  for (const path of globSync('dist/cjs/*/')) if (readdirSync(path).length === 0) rmSync(path, { recursive: true })
}

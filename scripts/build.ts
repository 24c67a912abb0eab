// Writes dist/: one bundle for `import`, one for `require`, and the declarations of both.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown, type InputOptions, type OutputChunk, type OutputOptions } from 'rolldown'
import { minifySync } from 'rolldown/experimental'
import manifest from '../package.json' with { type: 'json' }
import { manPage } from '../src/cli/help/man-page.ts'
import { publicNamesOf, withoutInternalComments } from './declarations.ts'
import { viewerPageScript } from './build-viewer-page.ts'
import { withLineBreaks } from './line-breaks.ts'
import { withExplicitUndefined } from './optional-members.ts'

rmSync('dist', { recursive: true, force: true })

/** The bundler options of all entries. */
const common: InputOptions = {
  // Every bare specifier but that of the bundled reader of Protocol Buffers. A drive letter is the start of a path.
  external: /^(?![./]|@bufbuild\/|[a-z]:)/i,
  transform: { target: 'node22.15' },
}

/** Removes comments from the code, which were a sixth of the installed size. Bundlers need the annotations. */
const comments = { legal: true, annotation: true, jsdoc: false }

/**
 * Minification halves the installed size, and Node compiles the code 2 ms faster. Names of functions and classes are kept for stack
 * traces. Code is not compressed, because a compressor removes unused reads, such as those that make V8 flatten a string.
 */
const minify: OutputOptions['minify'] = {
  compress: false,
  mangle: { keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true, asciiOnly: true },
}

/** For code that no user calls while logging: names of functions are not kept, and the code is compressed. */
const minifyProgram: OutputOptions['minify'] & object = {
  compress: true,
  mangle: { toplevel: true, keepNames: { function: false, class: true } },
  codegen: { removeWhitespace: true, asciiOnly: true },
}

writeDeclarations()
const inputs = entries()
// One chunk for each set of entries that share modules, so that module state exists once and a program loads only the modules that
// it needs. For example, a logger to standard output loads no HTTP code. `sluice` loads three chunks, although other entries need
// only parts of them, because a dozen files took 4 ms longer to load. `sluice/core` loads one of them, which does not use Node. Other
// entries for edge runtimes load another one.
const logger = await modulesOf([inputs['index']!])
const core = await modulesOf([inputs['core']!])
const edge = await modulesOf(['http', 'hono', 'next'].map((name) => inputs[name]!))
const groups: Group[] = [
  { name: 'core', test: (id) => logger.has(id) && core.has(id) },
  { name: 'edge', test: (id) => logger.has(id) && edge.has(id) },
  { name: 'logger', test: (id) => logger.has(id) },
]
const { read, lint, ...others } = inputs
// The log view loads only the modules that it needs, which took less than half of the time.
const start = await modulesOf(['src/cli/main.ts'])
const view = new Set([...start, ...(await modulesOf(['src/cli/view/view.ts']))])
const later = ['record-filter', 'filtering-sink', 'show-batches', 'follow-files'].map(
  (name) => `src/cli/view/${name}.ts`,
)
const reading = new Set([...view, ...(await modulesOf([...later, 'src/cli/reports.ts']))])
const viewGroups: Group[] = [
  { name: 'base', test: (id) => reading.has(id) && core.has(id) && logger.has(id) },
  { name: 'base-logger', test: (id) => reading.has(id) && logger.has(id) },
  { name: 'read-lines', test: (id) => view.has(id) && !start.has(id) && id.includes(join('src', 'read')) },
]
await writeEntries('esm', others, groups)
// The program `sluice` is CommonJS, which starts faster. It shares the code that reads records with `sluice/read`.
const commonJs = await writeEntries('cjs', { ...others, read: read!, lint: lint!, cli: 'src/cli/main.ts' }, [
  ...viewGroups,
  ...groups,
  // The viewer needs a part of it, which would be another file that `sluice/core` loads.
  { name: 'otlp', test: (id) => core.has(id) && /[\\/]otlp/.test(relative('src', id)) },
])
for (const name of ['read', 'lint']) {
  const { exports } = commonJs.find((chunk) => chunk.isEntry && chunk.name === name)!
  writeFileSync(`dist/esm/${name}.js`, reExport(name, exports))
}
await writeProgram('writer-process', 'src/exporters/process/writer-process.ts')
await writeProgram('otlp-exit-worker', 'src/exporters/otlp/otlp-exit-worker.ts')
await writeProgram('pino-worker', 'src/compat/pino/pino-worker.ts')
minifyTools(commonJs)
writeCommandLine()
await writeViewerPage()
await writeYamlParser()
hardenExports()
makeCallable('pino')
writeFileSync('dist/cjs/package.json', '{"type":"commonjs"}\n')
for (const path of globSync('dist/**/*.{js,mjs}')) {
  const text = readFileSync(path, 'utf8')
  // The code of a log call is not compressed, so that it is measured and profiled as it was written.
  const isHot = /shared-(?:base|base-logger|core|logger)\.js$/.test(path)
  writeFileSync(path, withLineBreaks(path, isHot ? text : compressed(path, text)))
}
addLicenses('dist/viewer/page.js', ['preact', '@preact/signals', '@preact/signals-core'].map(licenseOf))
for (const { fileName, moduleIds } of commonJs)
  if (moduleIds.some((id) => id.includes('@bufbuild'))) addLicenses(join('dist/cjs', fileName), [protobufLicense()])

/** The modules that are loaded with entries. Those of `import()` are loaded later. */
async function modulesOf(input: string[]): Promise<ReadonlySet<string>> {
  const bundle = await rolldown({ ...common, platform: 'node', input })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const chunks = output.filter((chunk) => chunk.type === 'chunk')
  const loaded = new Set(chunks.filter(({ facadeModuleId }) => input.some((path) => facadeModuleId === resolve(path))))
  for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  return new Set([...loaded].flatMap(({ moduleIds }) => moduleIds))
}

interface Group {
  readonly name: string
  readonly test: (id: string) => boolean
}

/** Writes entries in one format. A module belongs to the first group that matches it. Returns the files. */
async function writeEntries(
  format: 'esm' | 'cjs',
  input: Record<string, string>,
  groups: Group[],
): Promise<OutputChunk[]> {
  const bundle = await rolldown({ ...common, platform: 'node', input })
  const { output } = await bundle.write({
    dir: `dist/${format}`,
    format,
    exports: 'named',
    minify,
    comments,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[name].js',
    codeSplitting: { groups },
  })
  await bundle.close()
  return output.filter((chunk) => chunk.type === 'chunk')
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

/**
 * Returns shorter code with the same result. Names of functions are kept, except in code that configures a provider or that tests use. Reads
 * whose result is not used stay, because a getter can have an effect.
 */
function compressed(path: string, text: string): string {
  const keepNames = { function: !/(?:shared-provider|testing)\.js$/.test(path), class: true }
  const { code, errors } = minifySync(path, text, {
    module: !path.includes(join('dist', 'cjs')),
    compress: { keepNames, treeshake: { propertyReadSideEffects: 'always' } },
    mangle: keepNames.function ? { keepNames } : { toplevel: true, keepNames },
    codegen: { removeWhitespace: true, asciiOnly: true },
  })
  if (errors.length > 0) throw new Error(`${path} was not compressed: ${errors[0]!.message}`)
  return code
}

/** Makes `require` return the default export of an entry if it is a function with all other exports as members. */
function makeCallable(name: string): void {
  appendFileSync(`dist/cjs/${name}.js`, '\nmodule.exports = exports.default\n')
  renameSync(`dist/cjs/${name}.d.ts`, `dist/cjs/${name}-names.d.ts`)
  const types = `import names from './${name}-names.js'\nexport = names\n`
  writeFileSync(`dist/cjs/${name}.d.ts`, types)
}

/**
 * Writes a program for a separate process or thread. It is one file for both formats, so that users who bundle the library can copy
 * it next to the bundle. It is small, because each start reads it.
 */
async function writeProgram(name: string, input: string): Promise<void> {
  const program = await rolldown({ input, external: /^node:/, platform: 'node', transform: { target: 'node22.15' } })
  await program.write({
    file: `dist/${name}.mjs`,
    format: 'esm',
    minify: minifyProgram,
    comments,
    codeSplitting: false,
  })
  await program.close()
}

/** Returns a module that exports what a CommonJS file exports, so that the package contains the code once. */
function reExport(name: string, names: readonly string[]): string {
  const named = names.filter((each) => each !== 'default').join(', ')
  const defaultExport = names.includes('default') ? 'export default exports.default\n' : ''
  return `import exports from '../cjs/${name}.js'\nexport const { ${named} } = exports\n${defaultExport}`
}

/** Minifies the files of `dist/cjs` that no program loads while it logs. */
function minifyTools(chunks: readonly OutputChunk[]): void {
  const folders = ['read', 'output', 'viewer', 'cli', 'codemod', 'lint', 'entries/read.ts', 'entries/lint.ts'].map(
    (path) => resolve('src', path),
  )
  for (const { fileName, moduleIds } of chunks) {
    if (!moduleIds.some((id) => folders.some((folder) => id.startsWith(folder)))) continue
    const path = join('dist/cjs', fileName)
    const { code, errors } = minifySync(path, readFileSync(path, 'utf8'), minifyProgram)
    if (errors.length > 0) throw new Error(`${path} was not minified: ${errors[0]!.message}`)
    writeFileSync(path, code)
  }
}

/** Writes the file that starts the program `sluice`, and its manual page. */
function writeCommandLine(): void {
  const [major, minor] = minimumNode()
  const isSupported = `node[0] > ${major} || (node[0] === ${major} && node[1] >= ${minor})`
  const message = `'sluice: Node ${major}.${minor} or later is required; this is ' + process.version + '\\n'`
  const program = [
    '#!/usr/bin/env node',
    "var node = process.versions.node.split('.').map(Number)",
    `if (${isSupported}) require('./cjs/cli.js')`,
    `else { process.stderr.write(${message}); process.exitCode = 2 }`,
  ]
  writeFileSync('dist/cli.cjs', `${program.join('\n')}\n`)
  chmodSync('dist/cli.cjs', 0o755)
  writeFileSync('dist/sluice.1.gz', gzipSync(manPage(), { level: 9 }))
}

/** Writes the page of `sluice ui`. */
async function writeViewerPage(): Promise<void> {
  mkdirSync('dist/viewer')
  writeFileSync('dist/viewer/page.js', await viewerPageScript())
  for (const name of ['index.html', 'page.css', 'icon.svg'])
    writeFileSync(`dist/viewer/${name}`, readFileSync(`src/viewer/page/${name}`))
}

/** Returns the major and minor version of Node that package.json requires. */
function minimumNode(): number[] {
  return manifest.engines.node.match(/\d+/g)!.slice(0, 2).map(Number)
}

/**
 * Writes the YAML parser to a separate file, which both formats load only for a configuration file. It is minified and begins with
 * its license.
 */
async function writeYamlParser(): Promise<void> {
  const parser = await rolldown({
    input: 'src/otel/configuration-file/yaml-parser.ts',
    // Not the Node build: the other build of yaml is ESM, so that unused parts can be removed.
    platform: 'neutral',
    transform: common.transform!,
    treeshake: { moduleSideEffects: false },
  })
  const file = 'dist/yaml-parser.cjs'
  await parser.write({ file, format: 'cjs', minify: true, codeSplitting: false })
  await parser.close()
  addLicenses(file, [licenseOf('yaml')])
}

/** Writes the licenses of other packages, whose code a file contains, at its start. */
function addLicenses(file: string, licenses: readonly string[]): void {
  const comments = licenses.map((license) => `/*! ${license.trim()}\n*/\n`)
  writeFileSync(file, comments.join('') + readFileSync(file, 'utf8'))
}

function licenseOf(name: string): string {
  return `${nameAndVersion(name)}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`
}

/** Returns the notice of the reader of Protocol Buffers, a part of which has another license, at the start of its file. */
function protobufLicense(): string {
  const text = readFileSync('node_modules/@bufbuild/protobuf/dist/esm/wire/varint.js', 'utf8')
  const [start = ''] = /^(?:\/\/.*\n)+/.exec(text) ?? []
  if (!start.includes('Redistribution')) throw new Error('the license of @bufbuild/protobuf was not found')
  const notice =
    'Copyright 2021-2026 Buf Technologies, Inc. Licensed under the Apache License, Version 2.0: see LICENSE.'
  return `${nameAndVersion('@bufbuild/protobuf')}\n\n${notice}\n\nReading of integers:\n${start.replace(/^\/\/ ?/gm, '')}`
}

function nameAndVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string }
  return `${name} ${version}`
}

/** Lists the entries by package.json's `exports`: dist/esm/node.js is built from src/entries/node.ts. */
function entries(): Record<string, string> {
  const targets = Object.values(manifest.exports).filter((target) => typeof target === 'object')
  const names = targets.map((target) => target.import.default.slice('./dist/esm/'.length, -'.js'.length))
  return Object.fromEntries(names.map((name) => [name, `src/entries/${name}.ts`]))
}

/**
 * Writes the declarations for `require`, and for `import` one small file per entry that re-exports them, so that a class or symbol has
 * one type in both formats. A module can import CommonJS declarations; the reverse is an error for `require`.
 */
function writeDeclarations(): void {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', 'dist/cjs']
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  // tsc does not rewrite the extension of `./x.ts` in declarations, which is an error for users.
  for (const path of globSync('dist/cjs/**/*.d.ts')) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/((?:from|import\()\s*["']\.{1,2}\/[^"']+)\.ts(?=["'])/g, '$1.js'))
  }
  // The declarations of an entry are next to its code.
  for (const path of globSync('dist/cjs/entries/*.d.ts')) {
    const text = readFileSync(path, 'utf8').replace(/((?:from|import\(|module)\s*["'])\.\.\//g, '$1./')
    writeFileSync(join('dist/cjs', basename(path)), text)
  }
  rmSync('dist/cjs/entries', { recursive: true })
  const names = Object.keys(entries())
  const paths = names.map((name) => join('dist/cjs', `${name}.d.ts`))
  removeUnreachable(paths)
  // Internal comments are a fifth of all declarations.
  const files = new Map(globSync('dist/cjs/**/*.d.ts').map((path) => [path, readFileSync(path, 'utf8')]))
  const publicNames = publicNamesOf(paths, files)
  for (const [path, text] of files) {
    const documented = withTabs(withoutInternalComments(text, publicNames))
    // Options of pino that are undefined are not the same as missing ones, for example `level`.
    writeFileSync(path, path.includes('compat/pino') ? documented : withExplicitUndefined(documented))
  }
  mkdirSync('dist/esm')
  for (const name of names) writeFileSync(`dist/esm/${name}.d.ts`, moduleDeclaration(name))
}

/** Returns declarations indented by tabs instead of four spaces, which are 18 kB more. */
function withTabs(text: string): string {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
}

/** Returns the declarations of an entry for `import`. Those with a default export are copied, because the default export of CommonJS is the whole module. */
function moduleDeclaration(name: string): string {
  const text = readFileSync(`dist/cjs/${name}.d.ts`, 'utf8')
  if (!/^export default /m.test(text)) return `export * from '../cjs/${name}.js'\n`
  return text.replace(/((?:from|import\()\s*["'])\.\//g, '$1../cjs/')
}

/** Deletes the declarations that no entry uses, which are half of all. */
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

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SubjectName } from './subjects/index.ts'

/** The folder of the build that a subject is to measure: `dist/esm` of a package in a `node_modules` of its own. */
export type BuildOf = (subject: SubjectName) => string

/** Copies of the builds, so that a build that runs meanwhile changes nothing of what is measured. */
export function copyBuilds(folder: string, baseline: string | undefined): BuildOf {
  const ours = copyBuild(join(import.meta.dirname, '../dist'), join(folder, 'sluice'))
  const other = baseline === undefined ? undefined : copyBuild(baseline, join(folder, 'baseline'))
  return (subject) => {
    if (subject !== 'baseline') return ours
    if (other === undefined) throw new Error('the subject baseline needs --baseline <dist>')
    return other
  }
}

/** As an installation has it, with what is published beside the build, so that a program finds it by its name. */
function copyBuild(dist: string, folder: string): string {
  if (!existsSync(join(dist, 'esm/index.js'))) throw new Error(`${dist} holds no build: \`npm run build\` makes one`)
  const copy = join(folder, 'node_modules/sluice')
  cpSync(dist, join(copy, 'dist'), { recursive: true })
  for (const name of publishedBeside(join(dist, '..'))) {
    cpSync(join(dist, '..', name), join(copy, name), { recursive: true })
  }
  // A build on its own has no manifest; what it is remains true.
  if (!existsSync(join(copy, 'package.json'))) writeFileSync(join(copy, 'package.json'), '{"type":"module"}\n')
  return join(copy, 'dist/esm')
}

/** What npm publishes besides the build: what the manifest names, and what npm never leaves out. */
function publishedBeside(root: string): string[] {
  if (!existsSync(join(root, 'package.json'))) return []
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[]
  }
  return ['package.json', 'README.md', 'LICENSE', ...files.filter((name) => name !== 'dist')]
}

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SubjectName } from './subjects/index.ts'

/** Returns the folder of the build that a subject measures: `dist/esm` of a package in its own `node_modules`. */
export type BuildOf = (subject: SubjectName) => string

/** Copies the builds, so that a build that runs at the same time does not change what is measured. */
export function copyBuilds(folder: string, baseline: string | undefined): BuildOf {
  const ours = copyBuild(join(import.meta.dirname, '../dist'), join(folder, 'sluice'))
  const other = baseline === undefined ? undefined : copyBuild(baseline, join(folder, 'baseline'))
  return (subject) => {
    if (subject !== 'baseline') return ours
    if (other === undefined) throw new Error('the subject baseline needs --baseline <dist>')
    return other
  }
}

/** Copies a build with the other published files, as npm would install it, so that programs can import it by name. */
function copyBuild(dist: string, folder: string): string {
  if (!existsSync(join(dist, 'esm/index.js')))
    throw new Error(`${dist} does not contain a build: run \`npm run build\` first`)
  const copy = join(folder, 'node_modules/sluice')
  cpSync(dist, join(copy, 'dist'), { recursive: true })
  for (const name of publishedFiles(join(dist, '..'))) {
    cpSync(join(dist, '..', name), join(copy, name), { recursive: true })
  }
  // A build without a manifest still consists of ES modules.
  if (!existsSync(join(copy, 'package.json'))) writeFileSync(join(copy, 'package.json'), '{"type":"module"}\n')
  return join(copy, 'dist/esm')
}

/**
 * Returns what is published besides the build: the files that the manifest lists, except documentation, and those that npm always
 * adds.
 */
function publishedFiles(root: string): string[] {
  if (!existsSync(join(root, 'package.json'))) return []
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[]
  }
  return [
    'package.json',
    'README.md',
    'LICENSE',
    ...files.filter((name) => name !== 'dist' && !/^docs\/|\.md$/.test(name)),
  ]
}

import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SubjectName } from './subjects/index.ts'

/** The folder of the build that a subject is to measure. */
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

function copyBuild(dist: string, folder: string): string {
  if (!existsSync(join(dist, 'esm/index.js'))) throw new Error(`${dist} holds no build: \`npm run build\` makes one`)
  cpSync(join(dist, 'esm'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n')
  return folder
}

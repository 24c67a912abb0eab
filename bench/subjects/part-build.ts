import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Loads two entries of the measured build. */
export async function loadBuild(build: string): Promise<Pick<Entries, 'createLogger' | 'jsonLines'>> {
  const [index, exporters] = await Promise.all(
    ['index.js', 'exporters.js'].map((name) => import(pathToFileURL(join(build, name)).href)),
  )
  return { ...(index as Entries), ...(exporters as Entries) }
}

type Entries = typeof import('../../src/entries/index.ts') & typeof import('../../src/entries/exporters.ts')

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './source-files.ts'

const icon = readFileSync(join(repository, 'src/viewer/page/icon.svg'), 'utf8').trim()

/** The icon of the log viewer as an address, for the logo and the favicon. */
export const iconAddress: string = `data:image/svg+xml,${encodeURIComponent(icon)}`

/** What package.json has of the package. */
export const { version, license } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly license: string
}

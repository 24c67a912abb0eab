import { readFileSync, writeFileSync } from 'node:fs'

/** Returns the text of a file in test/golden/. With UPDATE_GOLDEN=1 the file is written first, and the change must be reviewed. */
export function golden(name: string, text: string): string {
  const file = new URL(`../../golden/${name}`, import.meta.url)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
  return readFileSync(file, 'utf8')
}

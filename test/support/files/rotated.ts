import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A file of a rotated path. */
export interface RotatedFile {
  readonly name: string
  readonly text: string
  /** Its size on disk, in bytes. */
  readonly size: number
}

/** Returns the rotated files and the current file of a path, oldest first. Compressed files are decompressed. */
export function filesOf(path: string): RotatedFile[] {
  const base = basename(path)
  const stem = base.slice(0, base.lastIndexOf('.'))
  const old = readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${stem}.2`))
    .toSorted()
  const all = readdirSync(dirname(path)).includes(base) ? [...old, base] : old
  return all.map((name) => {
    const file = join(dirname(path), name)
    const bytes = readFileSync(file)
    return { name, text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString(), size: statSync(file).size }
  })
}

/** Returns the contents of all files of a path, oldest first. */
export function textOf(path: string): string {
  return filesOf(path)
    .map(({ text }) => text)
    .join('')
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** One file of a path that is rotated. */
export interface RotatedFile {
  readonly name: string
  readonly text: string
  /** Its length on the disk, in bytes. */
  readonly size: number
}

/** The old files of a path and then itself, in the order in which they were begun, compressed ones read. */
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

/** What they hold, in the order in which it was written. */
export function textOf(path: string): string {
  return filesOf(path)
    .map(({ text }) => text)
    .join('')
}

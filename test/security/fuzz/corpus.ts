import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One saved input. */
export interface Saved {
  /** The name of the target. */
  readonly target: string
  /** The failure that the input caused. */
  readonly found: string
  readonly input: unknown
}

const folder = join(import.meta.dirname, '../corpus')

/** Returns the saved inputs by file. */
export function corpus(): readonly (readonly [file: string, saved: Saved])[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.toSorted().map((file) => {
    return [file, fromJson(readFileSync(join(folder, file), 'utf8')) as Saved] as const
  })
}

/** Saves an input. Returns the path of its file. */
export function save(saved: Saved): string {
  const text = `${asJson(saved)}\n`
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${saved.target}-${hash}.json`)
  writeFileSync(path, text)
  return path
}

/** Serializes an input. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, replaced, 2)
}

/** Parses a serialized input. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, revived)
}

/** Replaces values that JSON cannot represent. */
function replaced(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $: 'bigint', text: String(value) }
  const isOther = typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
  return isOther ? { $: 'number', text: Object.is(value, -0) ? '-0' : String(value) } : value
}

function revived(_: string, value: unknown): unknown {
  const { $: kind, text } = Object(value) as { $?: unknown; text?: string }
  if (kind === 'bigint') return BigInt(text!)
  return kind === 'number' ? Number(text) : value
}

import { useState } from 'preact/hooks'
import type { QueryPath, QueryValue } from '../../read/query/query.ts'
import { addCondition, pathOfName } from './conditions.ts'
import type { Value } from './server-types.ts'
import { copyText } from './copy-text.ts'

const longText = 400

interface EntryProps {
  readonly name: string
  readonly value: Value
  /** The key in a query; undefined for a value that cannot be searched by its key. */
  readonly path: QueryPath | undefined
}

/** The entries of an object as a tree. */
export function ValueTree({ value, path }: { readonly value: Value; readonly path?: QueryPath | undefined }) {
  const entries = entriesOf(value)
  if (entries === undefined) return <ScalarValue value={value} />
  return (
    <dl class="tree">
      {entries.map(([name, item]) => (
        <TreeEntry name={name} value={item} path={pathOf(path, name)} key={name} />
      ))}
      {omittedOf(value) > 0 && <p class="note">and {omittedOf(value)} more</p>}
    </dl>
  )
}

function TreeEntry({ name, value, path }: EntryProps) {
  const isNested = entriesOf(value) !== undefined
  return (
    <div class={isNested ? 'entry nested' : 'entry'}>
      <dt>{name}</dt>
      <dd>
        {isNested ? <ValueTree value={value} path={path} /> : <ScalarValue value={value} />}
        <span class="actions">
          {path !== undefined && !isNested && (
            <>
              <button
                title="Show only records with this value"
                aria-label={`Filter by ${name}`}
                onClick={() => addCondition(path, '=', queryValue(value))}
              >
                =
              </button>
              <button
                title="Exclude records with this value"
                aria-label={`Exclude ${name}`}
                onClick={() => addCondition(path, '!=', queryValue(value))}
              >
                ≠
              </button>
            </>
          )}
          <button title="Copy" aria-label={`Copy ${name}`} onClick={() => void copyText(plainText(value))}>
            copy
          </button>
        </span>
      </dd>
    </div>
  )
}

function ScalarValue({ value }: { readonly value: Value }) {
  const [isOpen, setOpen] = useState(false)
  const text = plainText(value)
  const kind = value === null ? 'null' : typeof value === 'object' ? 'number' : typeof value
  if (text.length <= longText || isOpen) return <span class={`value ${kind}`}>{text}</span>
  return (
    <span class={`value ${kind}`}>
      {text.slice(0, longText)}…{' '}
      <button class="link" onClick={() => setOpen(true)}>
        show {text.length.toLocaleString('en-US')} characters
      </button>
    </span>
  )
}

function entriesOf(value: Value): readonly (readonly [string, Value])[] | undefined {
  if (value === null || typeof value !== 'object') return undefined
  if (value.kind === 'map') return value.entries.length === 0 ? undefined : value.entries
  if (value.kind === 'list')
    return value.items.length === 0 ? undefined : value.items.map((item, at) => [String(at), item] as const)
  return undefined
}

function omittedOf(value: Value): number {
  return value !== null && typeof value === 'object' && (value.kind === 'map' || value.kind === 'list')
    ? value.omitted
    : 0
}

/** Returns a value as text, objects as JSON. */
export function plainText(value: Value): string {
  if (typeof value === 'string') return value
  return JSON.stringify(plainValue(value)) ?? ''
}

function plainValue(value: Value): unknown {
  if (value === null || typeof value !== 'object') return value
  if (value.kind === 'list') return value.items.map(plainValue)
  // Entries can have any key, also __proto__.
  if (value.kind === 'map') return Object.fromEntries(value.entries.map(([key, item]) => [key, plainValue(item)]))
  return value.text
}

function queryValue(value: Value): QueryValue {
  if (value === null || typeof value !== 'object') return value
  return value.kind === 'integer' ? BigInt(value.text) : plainText(value)
}

function pathOf(path: QueryPath | undefined, name: string): QueryPath | undefined {
  return path === undefined ? undefined : [...path, ...(/^\d+$/.test(name) ? [Number(name)] : pathOfName(name))]
}

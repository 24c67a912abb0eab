import { useState } from 'preact/hooks'
import type { QueryPath, QueryValue } from '../../read/query/query.ts'
import { addCondition, pathOfName } from './conditions.ts'
import { plainText } from './plain-value.ts'
import type { Value } from './server-types.ts'
import { shownInBlock, shownInLine } from './shown-text.ts'
import { copyText } from './copy-text.ts'

/** Longer texts are cut until they are opened. */
const longText = 400
/** Objects that are nested deeper, or have more entries, are closed at first. */
const openDepth = 3
const openEntries = 20

interface TreeProps {
  readonly value: Value
  /** The key in a query; undefined for a value that cannot be searched by its key. */
  readonly path?: QueryPath | undefined
  readonly depth?: number
}

interface EntryProps extends TreeProps {
  readonly name: string
}

/** The entries of an object as a tree. */
export function ValueTree({ value, path, depth = 0 }: TreeProps) {
  const entries = entriesOf(value)
  if (entries === undefined) return <ScalarValue value={value} />
  return (
    <>
      <dl class="tree">
        {entries.map(([name, item]) => (
          <TreeEntry name={name} value={item} path={pathOf(path, name)} depth={depth} key={name} />
        ))}
      </dl>
      {omittedOf(value) > 0 && <p class="note">and {omittedOf(value)} more</p>}
    </>
  )
}

function TreeEntry({ name, value, path, depth = 0 }: EntryProps) {
  const entries = entriesOf(value)
  const isNested = entries !== undefined
  const [isOpen, setOpen] = useState(depth < openDepth && (entries?.length ?? 0) <= openEntries)
  return (
    <div class={isNested ? 'entry nested' : 'entry'}>
      <dt>
        {isNested ? (
          <button class="link toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '▾' : '▸'} {shownInLine(name)}
          </button>
        ) : (
          shownInLine(name)
        )}
      </dt>
      <dd>
        {!isNested && <ScalarValue value={value} />}
        {isNested && !isOpen && <span class="note">{entries.length} entries</span>}
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
        {isNested && isOpen && <ValueTree value={value} path={path} depth={depth + 1} />}
      </dd>
    </div>
  )
}

function ScalarValue({ value }: { readonly value: Value }) {
  const [isOpen, setOpen] = useState(false)
  const text = plainText(value)
  const kind = value === null ? 'null' : typeof value === 'object' ? 'number' : typeof value
  if (text.length <= longText || isOpen) return <span class={`value ${kind}`}>{shownInBlock(text)}</span>
  return (
    <span class={`value ${kind}`}>
      {shownInBlock(text.slice(0, longText))}…{' '}
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

function queryValue(value: Value): QueryValue {
  if (value === null || typeof value !== 'object') return value
  return value.kind === 'integer' ? BigInt(value.text) : plainText(value)
}

function pathOf(path: QueryPath | undefined, name: string): QueryPath | undefined {
  return path === undefined ? undefined : [...path, ...(/^\d+$/.test(name) ? [Number(name)] : pathOfName(name))]
}

import { RecordParts } from './record-parts.tsx'
import { select, selected } from './state.ts'

/** All parts of the selected record. */
export function Detail() {
  const seq = selected.value
  if (seq === undefined) return null
  return (
    // Without the focus, keys would scroll the list.
    <aside class="record-panel" aria-label="Record" tabIndex={0}>
      <RecordParts seq={seq} onClose={closeDetail} />
    </aside>
  )
}

/** Closes the record, and moves the focus from it to the list. */
export function closeDetail(): void {
  select(undefined, -1)
  document.getElementById('records')?.focus()
}

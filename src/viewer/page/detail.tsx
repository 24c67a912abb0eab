import { RecordParts } from './record-parts.tsx'
import { select, selected } from './state.ts'

/** All parts of the selected record. */
export function Detail() {
  const seq = selected.value
  if (seq === undefined) return null
  return (
    <aside class="record-panel" aria-label="Record">
      <RecordParts seq={seq} onClose={closeDetail} />
    </aside>
  )
}

/** Closes the record, and moves the focus from it to the list. */
export function closeDetail(): void {
  select(undefined, -1)
  document.getElementById('records')?.focus()
}

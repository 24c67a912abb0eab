import type { DatabaseState } from './server-types.ts'
import { shownInLine } from './shown-text.ts'
import { panel } from './state.ts'
import { countText } from './time-text.ts'

/** What is saved in the database, what could not be saved, and what is lost. */
export function DatabaseStatus({ database }: { readonly database: DatabaseState }) {
  const { file, size, older, isLoading, unsaved, refused, evicted, deletedFromFile, error } = database
  const name = shownInLine(file)
  return (
    <>
      <span title={name}>{isLoading ? 'reading the database…' : `${countText(size)} saved`}</span>
      {older > 0 && !isLoading && (
        <button class="condition" onClick={() => (panel.value = 'older')}>
          search {countText(older)} older records
        </button>
      )}
      {evicted > 0 && (
        <span class="removed" title="Records of files are kept in memory only.">
          {countText(evicted)} older records without a copy were removed
        </span>
      )}
      {deletedFromFile > 0 && (
        <span class="removed" title="The database has its maximum size.">
          {countText(deletedFromFile)} older records were deleted from the file
        </span>
      )}
      {unsaved + refused > 0 && (
        <span class="removed" role="alert" title={error === null ? name : shownInLine(error)}>
          not saved: {countText(unsaved)} records, {countText(refused)} requests refused
        </span>
      )}
    </>
  )
}

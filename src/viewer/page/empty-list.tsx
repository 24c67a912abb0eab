import { isFiltered, noFilter, setFilter, view, viewId } from './state.ts'
import { countText } from './time-text.ts'

/** What is shown in place of records if there are none. */
export function EmptyList() {
  const { stored, untested } = view.value
  // It is not known yet whether there are records.
  if (viewId.value === 0) return null
  if (untested > 0) return <div class="empty">Searching {countText(untested)} records…</div>
  if (stored > 0 && isFiltered.value) {
    return (
      <div class="empty">
        <p>None of {countText(stored)} records matches.</p>
        <button onClick={() => setFilter(noFilter)}>Show all records</button>
      </div>
    )
  }
  return (
    <div class="empty">
      <h2>Waiting for records</h2>
      <p>Send logs of OpenTelemetry to this address:</p>
      <pre>{`OTEL_EXPORTER_OTLP_ENDPOINT=${location.origin}\nOTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`}</pre>
      <p>Or let the viewer start the program:</p>
      <pre>npx sluice ui -- node app.js</pre>
    </div>
  )
}

// Writes numbered batches to a file or pipe, waits for each result, and reports the results on standard error.
// Arguments: path, batches, lines in each, how to end (`flush` or `exit`), `shared` for a shared pipe.
import { writeSync } from 'node:fs'
import { openForAppending } from '../../../src/exporters/fd/descriptor.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import type { ExportResult } from '../../../src/pipeline/exporter.ts'
import { batchOf, numberedLines } from '../pipeline/batch.ts'
import { recordingHost } from '../pipeline/exporter-host.ts'

const [path, batches, lines, end, shared] = process.argv.slice(2) as [string, string, string, string, string?]
// strace counts the calls of each thread. On a stopped clock no write is slow, so all writes stay in this thread.
const host = recordingHost(end === 'exit' ? undefined : () => 0)
const writer = new FdWriter({
  name: 'file',
  open: () => openForAppending(path, 0o644),
  sharedPipe: shared === 'shared',
})
writer.start(host)
writer.keepAlive(true)

const results: ExportResult[] = []
for (let index = 0; index < Number(batches); index++) {
  const batch = batchOf(numberedLines(Number(lines), index * Number(lines)))
  const result = writer.export(batch, undefined)
  const isPending = 'then' in result
  results.push(end === 'exit' && isPending ? writer.exportSync(batch, host.monotonic() + 500, true) : await result)
}
writeSync(2, `${JSON.stringify({ results, diagnostics: host.diagnostics })}\n`)
process.exit()

// Writes numbered batches to the file or pipe it is given, waiting for each answer, and says what became of them.
// Arguments: path, batches, lines in each, how to end (`flush` or `exit`), `shared` for a shared pipe.
import { writeSync } from 'node:fs'
import { openForAppending } from '../../../src/exporters/fd/descriptor.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import type { ExportResult } from '../../../src/pipeline/exporter.ts'
import { batchOf, numberedLines } from '../pipeline/batch.ts'
import { recordingHost } from '../pipeline/exporter-host.ts'

const [path, batches, lines, end, shared] = process.argv.slice(2) as [string, string, string, string, string?]
// strace counts the calls of each thread: on a clock that stands still no write looks slow, so all stay in this one.
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
  const answer = writer.export(batch, undefined)
  const waits = 'then' in answer
  results.push(end === 'exit' && waits ? writer.exportSync(batch, host.monotonic() + 500, true) : await answer)
}
writeSync(2, `${JSON.stringify({ results, problems: host.problems })}\n`)
process.exit()

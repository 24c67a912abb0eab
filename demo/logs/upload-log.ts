import type { IncomingHttpHeaders } from 'node:http'
import type { Stats } from '../ledger.ts'
import type { Row } from '../rows.ts'
import type { Receipt } from '../upload.ts'

/** What the server tells of an upload. Three methods, so that the server without logging builds no attributes either. */
export interface UploadLog {
  started(request: number, headers: IncomingHttpHeaders): void
  row(request: number, seq: number, row: Row): void
  finished(request: number, receipt: Receipt): void
  /** Everything is in the file when this resolves. */
  close(): Promise<Stats | undefined>
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Stats } from '../delivery.ts'
import type { Row } from '../rows.ts'
import type { Receipt } from '../upload.ts'

/** The logger of the server. It has three methods, so that the server without logging creates no attributes. */
export interface UploadLog {
  started(request: number, headers: IncomingHttpHeaders): void
  row(request: number, seq: number, row: Row): void
  finished(request: number, receipt: Receipt): void
  /** Resolves when all records are in the file. */
  close(): Promise<Stats | undefined>
}

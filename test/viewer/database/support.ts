import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LogArchive } from '../../../src/viewer/database/log-archive.ts'
import { LogDatabase } from '../../../src/viewer/database/log-database.ts'
import { searchOlder } from '../../../src/viewer/database/older-records.ts'
import { addLogsRequest } from '../../../src/viewer/otlp/add-logs.ts'
import type { OtlpRecord } from '../../../src/viewer/otlp/otlp-record.ts'
import { LogStore } from '../../../src/viewer/store/log-store.ts'
import { SpanStore } from '../../../src/viewer/store/span-store.ts'
import type { ViewFilter } from '../../../src/viewer/views/view-filter.ts'
import { requestOf, type TestRecord } from '../support.ts'

export const defaultMaxBytes: number = 64 * 1024 * 1024

/** The stores of a viewer with its database. */
export class TestViewer {
  readonly logs: LogStore
  readonly spans: SpanStore = new SpanStore()
  readonly archive: LogArchive

  constructor(file: string, { memory = defaultMaxBytes, maxBytes = defaultMaxBytes, hasIndex = true } = {}) {
    this.logs = new LogStore(memory)
    this.archive = new LogArchive(new LogDatabase(file, maxBytes, hasIndex), this.logs, this.spans)
  }

  /** Receives a request with some records. */
  receive(records: readonly TestRecord[], now = 0): void {
    this.archive.save(() => addLogsRequest(this.logs, requestOf(records), now))
  }

  /** The records in memory. */
  get records(): OtlpRecord[] {
    return this.logs.segments.flatMap((segment) =>
      Array.from({ length: segment.count }, (_, index) => this.logs.readAt(segment, index)),
    )
  }

  get messages(): (string | undefined)[] {
    return this.records.map(({ message }) => message)
  }

  /** Indexes all records that can be. */
  index(): void {
    while (this.archive.database.indexUntil(() => false));
  }

  /**
   * Returns the messages of all older records that match, the newest first.
   *
   * @param isAll - whether the records in memory are searched too
   */
  async older(filter: ViewFilter, isAll = false, count = 100_000): Promise<(string | undefined)[]> {
    const { database, missing } = this.archive
    const ranges = isAll ? undefined : missing
    const messages: (string | undefined)[] = []
    for (let before: number | undefined = Infinity; before !== undefined;) {
      const found = await searchOlder(database, filter, { before, count, ...(ranges && { ranges }) })
      messages.push(...found.records.map(({ record }) => record.message))
      before = found.next
    }
    return messages
  }
}

/** Runs a test in a new directory, which is removed afterwards. */
export async function inDirectory(run: (directory: string) => void | Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'viewer-database-'))
  try {
    await run(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

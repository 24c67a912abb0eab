// The answers of the server. `api/` writes them.

/** The state of a view. */
export interface ViewState {
  /** The number of records in the view. */
  readonly rows: number
  /** The number of records that were added to the view since it was opened, because they arrived. */
  readonly added: number
  /** Changes when records were inserted before others, or removed, so that they have other positions. */
  readonly epoch: number
  /** The number of records that the server keeps. */
  readonly stored: number
  /** The number of older records that were removed. */
  readonly removed: number
  /** The number of records that came a second time, by OTLP and in the output of the program, and are shown once. */
  readonly duplicates: number
  /** The number of records that were not tested yet. */
  readonly untested: number
  /** The number of records of each class of levels. */
  readonly levels: readonly number[]
  readonly services: readonly (readonly [name: string, count: number])[]
  /** The time of the first record, in ms since the Unix epoch. */
  readonly first: number | null
  readonly last: number | null
  /** Changes when spans arrive. */
  readonly spans: number
  /** The number of pages that are open. */
  readonly pages: number
  /** The database of the viewer; null without one. */
  readonly database: DatabaseState | null
}

/** The state of the database. */
export interface DatabaseState {
  readonly file: string
  /** The number of records in the file. */
  readonly size: number
  /** The number of records that are only in the file. */
  readonly older: number
  readonly isLoading: boolean
  readonly hasIndex: boolean
  /** The number of records that could not be saved. */
  readonly unsaved: number
  /** The number of requests that were refused. */
  readonly refused: number
  /** The number of records that were removed from memory and are not in the file. */
  readonly evicted: number
  /** The number of records that were deleted from the file because of its maximum size. */
  readonly deletedFromFile: number
  readonly error: string | null
}

/** A part of a search of the database. */
export interface OlderRows {
  readonly rows: readonly Row[]
  /** Where the search continues; null at its end. */
  readonly next: number | null
  /** The number of the oldest record. */
  readonly first: number
  /** The number after the newest record that is searched. */
  readonly end: number
}

/** A record as one line of the list. */
export interface Row {
  readonly seq: number
  readonly time: number
  readonly severity: number
  readonly level: string
  readonly service: string
  readonly scope: string
  readonly trace: string
  readonly span: string
  readonly event: string
  readonly message: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly hasException: boolean
}

/** Consecutive rows of a view. */
export interface RowBlock {
  /** The position of the first one. */
  readonly from: number
  readonly rows: readonly Row[]
  /** The epoch in which they have their positions. */
  readonly epoch: number
}

/** Where a record is in a view. */
export interface RowPosition {
  /** The position of the record, or of the first one after it. */
  readonly index: number
  readonly isInView: boolean
}

/** A value of a record. */
export type Value =
  | string
  | number
  | boolean
  | null
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, Value])[]; readonly omitted: number }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly omitted: number }
  | { readonly kind: 'integer' | 'number' | 'bytes' | 'omitted'; readonly text: string }

/** All parts of a record. */
export interface FullRecord {
  readonly seq: number
  readonly time: number
  readonly timeNanos: string | null
  readonly severity: number
  readonly level: string
  readonly severityText: string | null
  readonly event: string | null
  readonly body: Value
  readonly attributes: Value
  readonly resource: Value
  readonly scope: string | null
  readonly scopeVersion: string | null
  readonly trace: string | null
  readonly span: string | null
  readonly flags: number | null
  readonly format: string
  readonly file: string
  readonly container: string | null
  readonly stream: string | null
}

export interface Histogram {
  readonly from: number
  readonly until: number
  readonly counts: readonly (readonly number[])[]
}

export interface TemplateGroup {
  readonly template: number
  readonly text: string
  readonly count: number
  readonly levels: readonly number[]
  readonly firstTime: number
  readonly lastTime: number
}

export interface Span {
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly service: string
  readonly start: number
  readonly end: number
  readonly hasError: boolean
}

export interface Trace {
  readonly spans: readonly Span[]
  readonly total: number
  readonly rows: readonly Row[]
}

/** A completion of the query. */
export interface KeyInfo {
  readonly key: string
  readonly count: number
  readonly values: readonly (readonly [text: string, count: number])[]
}

import { randomBytes, randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { LogArchive } from '../database/log-archive.ts'
import type { DuplicateFinder } from '../store/duplicate-finder.ts'
import type { LogStore } from '../store/log-store.ts'
import type { SpanStore } from '../store/span-store.ts'
import { blockRows } from '../api/row-block-size.ts'
import { rowBlock } from '../api/row-json.ts'
import { QueryTimeoutError } from '../../read/query/query-timeout-error.ts'
import { LogView } from '../views/log-view.ts'
import type { ViewFilter } from '../views/view-filter.ts'
import { HttpError } from './http-error.ts'

/** The time between two states that are sent to a page, in ms. */
const sendMillis = 100
/** How long views are updated before other work of the process continues, in ms. */
const sliceMillis = 15
const maxSessions = 16
/** The services with the most records are sent. */
const maxServices = 200
/** A page that reads too slowly misses states. The next one has the same information. */
const maxWaitingBytes = 262_144
/** How long a connection is silent before a comment shows that it still exists, in ms. */
const keepAliveMillis = 15_000

/** A view that a page shows, while its connection is open. */
interface Session {
  readonly view: LogView
  readonly response: ServerResponse
  /** How many of the newest rows are sent with the first rows, and when the view is complete. */
  readonly newest: number
  sentState: string
  sentAt: number
  /** Whether the last state that was sent has rows, and is that of a complete view. */
  sentRows: boolean
  sentComplete: boolean
}

const nothingSent = { sentState: '', sentAt: 0, sentRows: false, sentComplete: false }

/** Updates the views that pages show, and sends their state as server-sent events. */
export class ViewSessions {
  private readonly logs: LogStore
  private readonly spans: SpanStore
  private readonly archive: LogArchive | undefined
  private readonly duplicates: DuplicateFinder
  private readonly sessions = new Map<number, Session>()
  /** Identifies this run of the viewer: numbers of records and templates are of other ones in the next run. */
  private readonly viewerId = randomBytes(6).toString('hex')
  // A page that was open before the viewer was restarted does not receive rows of another view.
  private nextId = randomInt(1, 2 ** 40)
  private timer: NodeJS.Timeout | undefined

  constructor(logs: LogStore, spans: SpanStore, duplicates: DuplicateFinder, archive: LogArchive | undefined) {
    this.archive = archive
    this.logs = logs
    this.spans = spans
    this.duplicates = duplicates
  }

  get count(): number {
    return this.sessions.size
  }

  /**
   * Opens a view, whose state is sent until the connection is closed.
   *
   * @param newest - how many of the newest rows are sent with its first rows, and when it is complete
   * @throws HttpError if there are too many.
   */
  open(filter: ViewFilter, newest: number, response: ServerResponse): void {
    if (this.sessions.size >= maxSessions) throw new HttpError(503, `at most ${maxSessions} pages can be open at once`)
    const id = this.nextId++
    this.sessions.set(id, { view: new LogView(this.logs, filter), response, newest, ...nothingSent })
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    response.write(`event: viewer\ndata: ${this.viewerId}\n\nevent: view\ndata: ${id}\n\n`)
    response.once('close', () => this.sessions.delete(id))
    // The other views are updated at the same time.
    clearTimeout(this.timer)
    this.timer = undefined
    this.schedule(0)
  }

  /**
   * Returns an open view.
   *
   * @throws HttpError
   */
  viewOf(id: number): LogView {
    const session = this.sessions.get(id)
    if (session === undefined) throw new HttpError(404, 'the view is closed; open it again')
    return session.view
  }

  private schedule(millis: number): void {
    this.timer ??= setTimeout(() => this.update(), millis)
  }

  private update(): void {
    this.timer = undefined
    let untested = 0
    for (const [id, session] of this.sessions) {
      try {
        // Each view has its own time, so that one with a slow query does not stop the others.
        const end = performance.now() + sliceMillis / this.sessions.size
        session.view.update(() => performance.now() > end)
        untested += session.view.untested
        this.send(session)
      } catch (error) {
        // A regular expression takes too long.
        this.sessions.delete(id)
        const message = error instanceof QueryTimeoutError ? error.message : 'the viewer failed'
        session.response.end(event('failure', { message }))
      }
    }
    // Other requests are answered between two slices.
    if (this.sessions.size > 0) this.schedule(untested > 0 ? 1 : sendMillis / 2)
  }

  private send(session: Session): void {
    const { view, response } = session
    const now = performance.now()
    const hasRows = view.rows.length > 0
    const isComplete = view.untested === 0
    // The first rows, and the end of the search, are sent at once.
    const isNews = (hasRows && !session.sentRows) || (isComplete && !session.sentComplete)
    if (response.writableLength > maxWaitingBytes || (!isNews && now - session.sentAt < sendMillis)) return
    session.sentRows = hasRows
    session.sentComplete ||= isComplete
    const state = event('state', this.stateOf(view))
    if (state !== session.sentState) {
      session.sentState = state
      session.sentAt = now
      response.write(isNews ? this.newestRows(session) + state : state)
    } else if (now - session.sentAt > keepAliveMillis) {
      session.sentAt = now
      response.write(':\n\n')
    }
  }

  /** Returns an event with the newest rows of a view, from the start of a block of the page on. */
  private newestRows({ view: { rows }, newest }: Session): string {
    if (newest === 0 || rows.length === 0) return ''
    const from = Math.max(0, rows.length - newest)
    return event('newest', rowBlock(this.logs, rows, from - (from % blockRows), newest + blockRows))
  }

  private stateOf(view: LogView): object {
    const { logs, spans } = this
    const { rows } = view
    return {
      rows: rows.length,
      added: view.added,
      epoch: rows.epoch,
      stored: logs.size,
      removed: logs.firstSequence,
      duplicates: this.duplicates.count,
      untested: view.untested,
      levels: view.levelCounts(),
      services: [...view.serviceCounts()].toSorted(([, a], [, b]) => b - a).slice(0, maxServices),
      first: rows.length === 0 ? null : rows.times[0],
      last: rows.length === 0 ? null : rows.times[rows.length - 1],
      spans: spans.version,
      pages: this.sessions.size,
      database: this.archive?.state ?? null,
    }
  }
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

import { jsonText } from '../../encode/dialect.ts'
import { jsonData, plainReading, type JsonReading } from '../../encode/json-data.ts'
import { JsonWalk } from '../../encode/json-walk.ts'
import { numberText } from '../../encode/number-text.ts'
import { quoteJson } from '../../encode/quote.ts'
import { ShapeSettings, type ShapeNode } from '../../encode/shapes.ts'
import type { TextPatterns } from '../../rules/patterns/text-patterns.ts'
import { unionState, type Redaction, type RedactState } from '../../rules/redact.ts'
import { threw } from '../../rules/threw.ts'

/** Writes values as pino writes them, redacted. One for each set of rules. */
export class Values {
  /** The shapes of what stands at the top level. */
  readonly root: ShapeNode
  /** The message. */
  readonly message: ShapeNode
  readonly patterns: TextPatterns | undefined
  private readonly state: RedactState
  private readonly reading: JsonReading
  private readonly walk: JsonWalk
  private busy = false

  constructor(redaction: Redaction | undefined, messageKey: string, limits: Pick<JsonReading, 'depth' | 'breadth'>) {
    this.patterns = redaction?.patterns
    this.state = redaction?.root ?? inert
    this.reading = { ...limits, careful: true }
    this.walk = new JsonWalk(this.patterns)
    const shapes = new ShapeSettings(jsonText, undefined, this.patterns)
    this.root = shapes.root(this.state)
    this.message = shapes.root(this.state).follow(messageKey)
  }

  /** The text of a member; undefined where it has none. Never throws. */
  member(value: unknown, node: ShapeNode): string | undefined {
    return this.text(value, node.key, node.state)
  }

  /** A message: what is no text has members that stand where those of a record do. */
  said(message: unknown): string | undefined {
    const { key, state } = this.message
    return this.text(message, key, typeof message === 'object' ? unionState(state, this.state) : state)
  }

  /** The same for a value by itself: its members stand where those of a record do. */
  readonly alone = (value: unknown): string | undefined => this.text(value, '', this.state)

  /** A text as it may be said. */
  clean(text: string): string {
    return this.patterns === undefined ? text : this.patterns.redacted(text)
  }

  /** JSON of what is not redacted: for the names of levels, and whoever asks a logger for it. */
  json(value: unknown): string | undefined {
    try {
      return JSON.stringify(value)
    } catch {
      return this.written(this.read(value, ''), '', inert)
    }
  }

  private text(value: unknown, key: string, state: RedactState): string | undefined {
    const isFree = state.censor === undefined
    // No switch: it would ask for the name of the type first.
    if (typeof value === 'string') {
      if (isFree) return quoteJson(this.patterns === undefined ? value : this.clean(value))
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      if (isFree && this.patterns === undefined) return scalarText(value)
    } else if (value === undefined || typeof value === 'function') {
      return undefined
    } else if (this.patterns === undefined && state.inert) {
      return this.json(value)
    }
    return this.written(this.read(value, key), key, state)
  }

  private read(value: unknown, key: string): unknown {
    try {
      return jsonData(value, key, plainReading)
    } catch {
      // A cycle, a BigInt, a stack that was too short, or code of a user that threw.
    }
    try {
      return jsonData(value, key, this.reading)
    } catch {
      return unreadable
    }
  }

  private written(data: unknown, key: string, state: RedactState): string | undefined {
    // A censor may log.
    const walk = this.busy ? new JsonWalk(this.patterns) : this.walk
    const outer = this.busy
    this.busy = true
    try {
      walk.begin()
      return walk.place(data, state, 1, key)
    } catch (error) {
      return quoteJson(threw(error))
    } finally {
      this.busy = outer
    }
  }
}

/** pino's words for a value of which nothing can be read. */
const unreadable = '[unable to serialize, circular reference is too complex to analyze]'

const inert: RedactState = { censor: undefined, inert: true, step: () => inert, item: undefined, cache: undefined }

/** As JSON says it: there is no number for NaN. */
function scalarText(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value - value === 0 ? numberText(value) : 'null'
}

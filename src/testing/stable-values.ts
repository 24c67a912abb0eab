import { withoutPrototype } from '../options/own-members.ts'

/** A UUID, a ULID, or an ID of OpenTelemetry: 32 or 16 hexadecimal digits with a letter and a digit. */
const id =
  /(?<!\w)(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[0-7](?=[\dA-Z]*[A-Z])[\dA-HJKMNP-TV-Z]{25}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{16}(?:[\da-f]{16})?)(?!\w)/gi
/** ISO 8601, the date of HTTP headers, and `Date.prototype.toString`. */
const time =
  /\b(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \([^)]*\))?)/g
const duration = /(?<![\w.])\d+(?:\.\d+)? ?(?:ns|[uµμ]s|ms|s|milliseconds?|seconds?)(?!\w)/g
/** A port after an address, the host of a URL, or the word `port`. Ports below 1024 are not assigned by the system. */
const port =
  /(?<=(?:\blocalhost|\b(?:\d{1,3}\.){3}\d{1,3}|::1|\[[\da-f:]+\]|:\/\/[^\s/:]+):|\bport[ :=]\s?)\d{4,5}(?!\d)/gi

const durationWords = ['duration', 'elapsed', 'latency', 'took', 'uptime']
const timeWords = ['at', 'date', 'time', 'timestamp']
const unitWords = ['micros', 'millis', 'milliseconds', 'ms', 'nanos', 'ns', 's', 'sec', 'seconds', 'us']

/**
 * Replaces what differs between runs: random IDs by `[id 1]`, `[id 2]` and so on, and times, durations, ports and process IDs by
 * `[time]`, `[duration]`, `[port]` and `[pid]`. Equal IDs have the same number.
 */
export class StableValues {
  readonly #ids = new Map<string, string>()

  /** Returns a text in which everything that looks like an ID, a time, a duration or a port is replaced. */
  text(text: string): string {
    return text
      .replaceAll(id, (found) => this.#id(found))
      .replaceAll(time, '[time]')
      .replaceAll(duration, '[duration]')
      .replaceAll(port, '[port]')
  }

  /** Returns attributes in which texts are replaced as in `text`, and numbers by their name, such as `durationMs` or `pid`. */
  attributes(attributes: object): Readonly<Record<string, unknown>> {
    const members = Object.entries(attributes).map(([name, value]) => [name, this.#value(value, name)])
    return withoutPrototype(Object.fromEntries(members) as Record<string, unknown>)
  }

  #value(value: unknown, name: string): unknown {
    if (typeof value === 'string') return name === 'request.id' ? this.#id(value) : this.text(value)
    if (typeof value === 'number') return numberFor(name, value)
    if (Array.isArray(value)) return value.map((item: unknown) => this.#value(item, name))
    return value === null || typeof value !== 'object' ? value : this.attributes(value)
  }

  #id(found: string): string {
    const key = found.toLowerCase()
    const stable = this.#ids.get(key) ?? `[id ${this.#ids.size + 1}]`
    this.#ids.set(key, stable)
    return stable
  }
}

/**
 * Returns what replaces a number, by the last words of its name: `http.server.request.duration`, `durationMs`, `created_at`. Other
 * numbers are returned unchanged.
 */
function numberFor(name: string, value: number): unknown {
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '.')
    .toLowerCase()
    .split(/[._-]/)
  if (words.length > 1 && unitWords.includes(words.at(-1)!)) words.pop()
  const last = words.at(-1)!
  if (last === 'pid') return '[pid]'
  if (last === 'port' && value >= 1024) return '[port]'
  if (timeWords.includes(last) && value >= 1e9) return '[time]'
  return last === 'time' || durationWords.includes(last) ? '[duration]' : value
}

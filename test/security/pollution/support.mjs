// Shared by the scenarios: records, and destinations that store their input.
import { readFileSync, rmSync } from 'node:fs'
import { Writable } from 'node:stream'

export const clock = () => 0
export const noTime = () => ',"time":0'

/** Creates a text stream that stores its lines. */
export function keepingStream() {
  const lines = []
  return { lines, stream: { write: (line) => void lines.push(String(line)) } }
}

/** Creates a Writable, which winston requires. */
export function writable(objectMode = false) {
  const lines = []
  const stream = new Writable({
    __proto__: null,
    objectMode,
    write(chunk, _, next) {
      lines.push(objectMode ? chunk : String(chunk))
      next()
    },
  })
  return { lines, stream }
}

/** Creates an exporter that stores its text. */
export function keepingExporter(encoding) {
  const lines = []
  const keep = (batch) => {
    lines.push(batch.text())
    return { status: 'accepted' }
  }
  return {
    lines,
    exporter: { name: 'keeper', encoding, schedule: 'sync', delivery: {}, export: keep, exportSync: keep },
  }
}

/** Creates an Error with the same members in each run. They are defined because pollution can block assignments. */
export function failure() {
  const error = new RangeError('bad')
  for (const [key, value] of [
    ['stack', 'RangeError: bad\n    at here'],
    ['code', 'E_BAD'],
  ]) {
    const descriptor = { __proto__: null, value, writable: true, configurable: true, enumerable: key === 'code' }
    Object.defineProperty(error, key, descriptor)
  }
  return error
}

/** Returns values whose serialization reads members that may be inherited. */
export const fields = () => ({
  a: 1,
  user: { name: 'Ann', password: 'hidden' },
  request: { headers: { authorization: 'hidden', accept: '*/*' } },
  list: [1, [2], { n: null }],
  date: new Date(0),
  map: new Map([['k', 1]]),
})

export function logExamples(log) {
  log.info('plain')
  log.info('user {user}', fields())
  log.error('failed', failure())
  log.child({ bound: true }).warn({ a: 1 }, '%s took %d', 'job', 3)
}

/** Reads a file and removes it. */
export function taken(path) {
  const text = readFileSync(path, 'utf8')
  rmSync(path)
  return text
}

/** Replaces times, which differ between runs. */
export function withoutTimes(text) {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[67]\d{11}\b/g, 'time')
}

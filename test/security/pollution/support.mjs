// What the scenarios have in common: records, and destinations that keep what they get.
import { readFileSync, rmSync } from 'node:fs'
import { Writable } from 'node:stream'

export const clock = () => 0
export const noTime = () => ',"time":0'

/** A stream in text mode that keeps its lines. */
export function keepingStream() {
  const lines = []
  return { lines, stream: { write: (line) => void lines.push(String(line)) } }
}

/** A real Writable, as winston needs one. */
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

/** A record exporter that keeps its text. */
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

/** An Error whose members are the same in each run. They are defined, because pollution blocks assignments of a program as well. */
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

/** Values whose serialization reads members that an object may not have of its own. */
export const fields = () => ({
  a: 1,
  user: { name: 'Ann', password: 'hidden' },
  request: { headers: { authorization: 'hidden', accept: '*/*' } },
  list: [1, [2], { n: null }],
  date: new Date(0),
  map: new Map([['k', 1]]),
})

export function sayAll(log) {
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

/** Without times, which differ from run to run. */
export function withoutTimes(text) {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[67]\d{11}\b/g, 'time')
}

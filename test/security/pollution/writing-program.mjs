// Writes records to each kind of destination while one name after another is on a prototype. Writes the outcome as JSON to outcome.log.
import { readdirSync, readFileSync, openSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { pollute } from './pollute.mjs'

const { root, directory, names, kinds } = JSON.parse(readFileSync(0, 'utf8'))
const load = (name) => import(new URL(`src/entries/${name}.ts`, pathToFileURL(`${root}/`)).href)
const [{ createLogger }, { fdExporter, fileExporter, spool, otlpExporter }, { pino }] = await Promise.all(
  ['index', 'exporters', 'pino'].map(load),
)
const file = (name) => `${directory}/${name}.log`
const quiet = { handleExit: false, onDiagnostic() {} }
const log = createLogger({
  ...quiet,
  exporter: [
    fileExporter({ path: file('file') }),
    fileExporter({ path: file('rotated'), rotate: { size: 1_000_000 } }),
    fdExporter({ fd: 1 }),
  ],
})
const kept = createLogger({
  ...quiet,
  exporter: spool(otlpExporter({ url: 'http://127.0.0.1:9', retry: { initialDelayMillis: 600_000 } }), {
    directory: `${directory}/spool`,
    maxBytes: 1024 * 1024 * 1024,
  }),
})
const synchronous = pino({ base: null }, pino.destination({ dest: file('pino'), sync: true }))
kept.info('first')
await kept.flush().catch(() => {})

let number = 0
const emit = () => {
  const message = `record ${++number};`
  log.info(message)
  log.fatal(`fatal ${message}`)
  kept.fatal(message)
  synchronous.info(message)
}
for (const kind of kinds) {
  for (const name of names) {
    const restore = pollute('object', kind, [name])
    try {
      emit()
    } catch {
      // Node itself fails with some names.
    }
    restore()
  }
  await log.flush()
}
for (const name of names) {
  const restore = pollute('object', 'text', [name])
  try {
    emit()
  } catch {
    // Node itself
  }
  // The turn ends while the name is on the prototype.
  await new Promise((resolve) => setImmediate(resolve)).finally(restore)
}
await log.shutdown()
await kept.shutdown()
const spooled = readdirSync(`${directory}/spool`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))
  .join('')
const outcome = {
  emitted: number,
  texts: {
    ...Object.fromEntries(['file', 'rotated', 'pino'].map((name) => [name, readFileSync(file(name), 'utf8')])),
    spool: spooled,
  },
  stats: log.stats().exporters.map(({ written, dropped }) => ({ written, dropped: dropped.total })),
}
const { writeFileSync } = await import('node:fs')
writeFileSync(openSync(file('outcome'), 'w'), JSON.stringify(outcome))

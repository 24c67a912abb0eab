// `node files.js DIRECTORY`: writes 20,000 lines to a rotated and compressed file. Prints the result.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { createLogger } from 'sluice'
import { fileExporter } from 'sluice/exporters'

const directory = `${process.argv[2]}/logs`
const rotate = { size: 1_000_000, compress: 'gzip' }
const log = createLogger({ exporter: fileExporter({ path: `${directory}/app.log`, mkdir: true, rotate }) })
for (let seq = 0; seq < 20_000; seq++) {
  log.info('record', { seq })
  if (seq % 2_000 === 0) await log.flush()
}
await log.flush()
// Rotated files are compressed in the background, one at a time.
const isDone = () => readdirSync(directory).every((file) => file === 'app.log' || file.endsWith('.log.gz'))
for (let tries = 0; tries < 1_000 && !isDone(); tries++) await wait(10)
const { ok } = await log.shutdown()
const files = readdirSync(directory)
const texts = files.map((file) => {
  const bytes = readFileSync(`${directory}/${file}`)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
})
const lines = texts.flatMap((text) => text.split('\n').filter(Boolean))
const seen = new Set(lines.map((line) => JSON.parse(line).attributes.seq))
const archives = files.filter((file) => file.endsWith('.gz')).length
console.log(JSON.stringify({ ok, written: log.stats().written, archives, seen: seen.size }))

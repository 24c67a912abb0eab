// A Fastify server that logs a debug record and an info record for each request, and the number of requests when it is stopped.
import fastify from 'fastify'
import { createLogger, withContext } from '../../src/entries/index.ts'
import { fileExporter } from '../../src/entries/exporters.ts'
import { requestLog } from '../../src/entries/fastify.ts'
import { levelsHandler } from '../../src/entries/level-control.ts'

const [path, token] = process.argv.slice(2) as [string, string]
const log = createLogger({ name: 'app', level: 'info', exporter: fileExporter({ path }) })
const database = log.child({}, { name: 'app.db' })
const { debug } = database
const app = fastify()
let requests = 0

await app.register(requestLog({ logger: log }))
app.all('/levels', levelsHandler({ token: [{ token, label: 'scenario' }] }))
app.get<{ Params: { tenant: string } }>('/:tenant', ({ params: { tenant } }) =>
  withContext({ tenant }, () => {
    const number = ++requests
    // The two records of a request are adjacent, so that the records of a change are between requests.
    debug('query {number}', { number })
    log.info('served {number}', { number })
    return { number }
  }),
)

console.log(await app.listen({ port: 0, host: '127.0.0.1' }))

process.once('SIGTERM', async () => {
  await app.close()
  await log.flush()
  const { exporters, emitted } = log.stats()
  const { accepted, filtered, written, queued, unknown, dropped } = exporters[0]!
  const totals = { requests, emitted, accepted, filtered, written, queued, unknown, dropped: dropped.total }
  console.log(JSON.stringify(totals))
  await log.shutdown()
})

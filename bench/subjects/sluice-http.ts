import { load, logOf, read } from './sluice.ts'
import { sluiceDefault } from './sluice-default.ts'
import type { Line, Log, LogSetup, OwnRequestLog, Subject } from './subject.ts'

/** The middleware that ships, with a record at both ends. Its records say more than those of the others: ids, addresses, the route. */
export const sluiceHttp: Subject = {
  title: 'sluice, requestLog({ logger, logStart: true }) of sluice/fastify or sluice/express',
  whenFull: sluiceDefault.whenFull,
  open,
  read: readRequest,
}

async function open(_setup: LogSetup, build: string): Promise<Log> {
  const { createLogger } = await load<typeof import('../../src/index.ts')>(build, 'index')
  const { fdExporter } = await load<typeof import('../../src/exporters.ts')>(build, 'exporters')
  const logger = createLogger({ level: 'info', exporter: fdExporter({ format: 'json' }) })
  return {
    ...logOf(logger),
    async requestLog(framework): Promise<OwnRequestLog> {
      const { requestLog } = await load<typeof import('../../src/express.ts')>(build, framework)
      const middleware = requestLog({ logger, logStart: true })
      const { stats } = middleware
      return { middleware, records: () => 2 * stats().requests - stats().open }
    },
  }
}

/** In the words of the others. */
function readRequest(line: Readonly<Record<string, unknown>>): Line {
  const { attributes, ...said } = read(line)
  const {
    'http.request.method': method,
    'url.path': url,
    'http.response.status_code': status,
    'http.server.request.duration': seconds,
    'request.id': id,
  } = attributes as Readonly<Record<string, unknown>>
  if (typeof id !== 'string') return { ...said, attributes: 'without an id' }
  const isOver = typeof seconds === 'number'
  return { ...said, attributes: isOver ? { method, url, status, ms: seconds * 1_000 } : { method, url } }
}

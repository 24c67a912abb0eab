import { load, logOf, read } from './sluice.ts'
import { sluiceDefault } from './sluice-default.ts'
import type { Line, Log, LogSetup, RequestLog, Subject } from './subject.ts'

/** `requestLog`, with as many records as the others log. Its records have additional attributes, such as ids, addresses and the route. */
export const sluiceHttp: Subject = requestLogSubject(
  'sluice, requestLog({ logger }), with logStart if the others log two records',
)

/** `requestLog` with its default options: one record per request. */
export const sluiceHttpEnd: Subject = requestLogSubject('sluice, requestLog({ logger }): one record per request', 1)

function requestLogSubject(title: string, always?: 1): Subject {
  const open = async (_setup: LogSetup, build: string): Promise<Log> => {
    const { createLogger } = await load<typeof import('../../src/entries/index.ts')>(build, 'index')
    const { fdExporter } = await load<typeof import('../../src/entries/exporters.ts')>(build, 'exporters')
    const logger = createLogger({ level: 'info', exporter: fdExporter({ format: 'json' }) })
    return {
      ...logOf(logger),
      async requestLog(framework, requested): Promise<RequestLog> {
        const records = always ?? requested
        const shape = { records, hasDuration: true }
        const options = { logger, logStart: records === 2 }
        if (framework === 'node') {
          const { requestLog } = await load<typeof import('../../src/entries/node.ts')>(build, 'node')
          return { wrap: (server) => requestLog(options).wrap(server), shape }
        }
        const { requestLog } = await load<typeof import('../../src/entries/express.ts')>(build, framework)
        return { middleware: requestLog(options), shape }
      },
    }
  }
  return { title, whenFull: sluiceDefault.whenFull, open, read: readRequest }
}

/** Parses a line, with the attribute names and the messages of the other loggers. */
function readRequest(line: Readonly<Record<string, unknown>>): Line {
  const { attributes, ...record } = read(line)
  const {
    'http.request.method': method,
    'url.path': url,
    'http.response.status_code': status,
    'http.server.request.duration': seconds,
    'request.id': id,
  } = attributes as Readonly<Record<string, unknown>>
  if (typeof id !== 'string') return { ...record, attributes: 'without an id' }
  if (typeof seconds !== 'number') return { ...record, message: 'request received', attributes: { method, url } }
  return { ...record, message: 'request completed', attributes: { method, url, status, ms: seconds * 1_000 } }
}

import type { Log, RequestLogger } from '../../../subjects/subject.ts'

/** The two records of a request. The hooks that call this are there without logging as well. */
export interface RequestRecords {
  /** The logger of the server; undefined without logging. */
  readonly root: RequestLogger | undefined
  /** Returns the logger of the request, which `completed` uses. */
  received(method: string, url: string): RequestLogger | undefined
  completed(logger: RequestLogger | undefined, method: string, url: string, status: number, millis: number): void
  /** How many records there were. */
  records(): number
}

/** Both records are logged by one logger. */
export function recordsOfOneLogger(log: Log | undefined): RequestRecords {
  const logger: RequestLogger | undefined = log && {
    info: (attributes, message) => log.attributes(message, attributes),
    child: () => logger!,
  }
  return requestRecords(logger, (root) => root)
}

/** Each request has a child logger with an id and a user, which logs both records. */
export function recordsOfChildren(log: Log | undefined): RequestRecords {
  let requests = 0
  return requestRecords(log?.logger, (root) => root.child(boundOf(requests++)))
}

/** The attributes of the child logger of a request. */
export const boundOf = (request: number) => ({ reqId: `req-${request}`, user: `user-${request % 100}` })

function requestRecords(
  root: RequestLogger | undefined,
  loggerOfRequest: (root: RequestLogger) => RequestLogger,
): RequestRecords {
  let records = 0
  return {
    root,
    received(method, url) {
      if (root === undefined) return undefined
      records++
      const logger = loggerOfRequest(root)
      logger.info({ method, url }, 'request received')
      return logger
    },
    completed(logger, method, url, status, millis) {
      if (logger === undefined) return
      records++
      // To the microsecond: further digits of a clock are noise in each line.
      logger.info({ method, url, status, ms: Math.round(millis * 1_000) / 1_000 }, 'request completed')
    },
    records: () => records,
  }
}

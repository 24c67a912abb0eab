import { createServer } from 'node:http'
import { requestLog } from '../../../src/entries/node.ts'
import type { Host } from '../host.ts'
import { listening } from './listening.ts'
import { answerError, plainHandlers } from './plain-handlers.ts'

export const node: Host = {
  name: 'node:http, (request, response, next)',
  routes: false,
  errors: true,
  bodies: true,
  async start(options, handlers) {
    const log = requestLog(options)
    const server = createServer((request, response) => {
      log(request, response, () => plainHandlers(handlers, request, response))!.catch((error: unknown) =>
        answerError(error, response),
      )
    })
    return { ...(await listening(server)), stats: log.stats }
  },
}

export const nodeWrapped: Host = {
  name: 'node:http, wrap(server)',
  routes: false,
  errors: false,
  bodies: true,
  async start(options, handlers) {
    const log = requestLog(options)
    const server = createServer((request, response) => {
      plainHandlers(handlers, request, response).catch((error: unknown) => answerError(error, response))
    })
    return { ...(await listening(log.wrap(server))), stats: log.stats }
  },
}

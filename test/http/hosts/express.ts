import { Readable } from 'node:stream'
import { createServer } from 'node:http'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { requestLog } from '../../../src/entries/express.ts'
import { Refusal, type Host } from '../host.ts'
import { listening } from './listening.ts'

export const expressHost: Host = {
  name: 'express 5',
  routes: true,
  errors: true,
  bodies: true,
  async start(options, handlers) {
    const log = requestLog(options)
    const app = express()
    app.use(log)
    app.use(express.json())
    const orders = express.Router()
    const place: RequestHandler = async ({ body }, response) =>
      void response.status(201).send(await handlers.place(body))
    orders.post('/', place)
    orders.get('/:id', async ({ params }, response) => void response.send(await handlers.order(params.id)))
    app.use('/orders', orders)
    app.get('/fails', () => handlers.fail())
    app.get('/refused', () => handlers.refuse())
    app.get('/slow', async (_, response) => void response.send(await handlers.slow()))
    app.get('/stream', (_, response) => void Readable.from(handlers.stream()).pipe(response))
    app.get('/unchanged', async (_, response) => {
      await handlers.unchanged()
      response.status(304).end()
    })
    app.use(log.errors)
    app.use(answer)
    return { ...(await listening(createServer(app))), stats: log.stats }
  },
}

const answer: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error instanceof Refusal ? error.status : 500).send('failed')
}

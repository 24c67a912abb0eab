import { expect, test } from '@jest/globals'
import fastify from 'fastify'
import { setTimeout } from 'node:timers/promises'
import { createLogger } from '../../src/create/create-logger.ts'
import { requestLog } from '../../src/entries/fastify.ts'
import { capturingExporter, type ParsedLine } from '../support/files/test-logger.ts'

const requestCount = 2_000
const clients = 16
const idOf = ({ attributes }: ParsedLine) => attributes!['request.id'] as string
const failsAt = (number: number): boolean => number % 97 === 0

test('with a fastify server under load, the debug records of the failed requests are written, and of no other', async () => {
  const exporter = capturingExporter()
  const log = createLogger({
    level: 'info',
    exporter,
    handleExit: false,
    recorder: { level: 'debug', by: 'request', trigger: 'error' },
  })
  const app = fastify()
  await app.register(requestLog({ logger: log }))
  app.get<{ Params: { number: string } }>('/orders/:number', async ({ params }) => {
    const number = Number(params.number)
    log.debug('load order {number}', { number })
    await setTimeout(number % 3)
    log.debug('check order {number}', { number })
    if (failsAt(number)) throw new Error(`order ${number} is invalid`)
    return { number }
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  let next = 0
  const client = async (): Promise<void> => {
    while (next < requestCount) {
      const number = next++
      const response = await fetch(`${url}/orders/${number}`)
      await response.text()
      expect(response.status).toBe(failsAt(number) ? 500 : 200)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await app.close()
  await log.flush()

  const lines = exporter.lines().map((line) => JSON.parse(line) as ParsedLine)
  const failed = lines.filter(({ level }) => level === 'error')
  const failures = Array.from({ length: requestCount }, (_, number) => number).filter(failsAt)
  expect(failed).toHaveLength(failures.length)
  expect(lines.filter(({ level }) => level === 'debug')).toHaveLength(2 * failures.length)
  for (const error of failed) {
    const ofRequest = lines.filter((line) => idOf(line) === idOf(error))
    const levels = ofRequest.map(({ level }) => level)
    expect(levels).toEqual(['debug', 'debug', 'error'])
    const [load, check] = ofRequest
    const number = load!.attributes!['number'] as number
    expect(failures).toContain(number)
    expect([load!.message, check!.message]).toEqual([`load order ${number}`, `check order ${number}`])
    expect(load!.attributes!['sluice.recorded']).toBe(true)
  }
  const { emitted, accepted, filtered, recorded, released, expired } = log.stats().exporters[0]!
  expect({ emitted, filtered, recorded, released, expired }).toEqual({
    emitted: 3 * requestCount,
    filtered: 2 * (requestCount - failures.length),
    recorded: 0,
    released: 2 * failures.length,
    expired: 2 * (requestCount - failures.length),
  })
  expect(accepted).toBe(lines.length)
}, 60_000)

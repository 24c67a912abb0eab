import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestProgram, requestWorker, startInFrame } from './playground/request-attempts.ts'
import { usePlayground } from './playground/use-playground.ts'

const shared = usePlayground()

describe('requests', () => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*').end('export default 1')
  })
  collector.on('upgrade', (_, socket) => {
    received.push('upgrade')
    socket.destroy()
  })
  let target: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    target = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/leak`
  })
  afterAll(() => void collector.close())

  test('of the page itself reach the server of this test', async () => {
    await shared.playground.page.evaluate(`fetch('${target}')`)
    expect(received.splice(0)).toEqual(['GET /leak'])
  })

  test('of a program fail in every way', async () => {
    const text = await shared.playground.run(requestProgram(target))
    const lines = text.split('\n').filter((line) => line.startsWith('console.log'))
    expect(lines.filter((line) => !line.endsWith('failed'))).toEqual(['console.log globals fetch'])
    expect(lines).toHaveLength(10)
    expect(received).toEqual([])
  })

  // The policy is what protects: removed globals only make messages clear.
  test('of a worker that has all globals fail in every way', async () => {
    const outcomes = await shared.playground.page.evaluate<string[]>(startInFrame(requestWorker, target))
    expect(outcomes).toHaveLength(10)
    expect(outcomes.filter((outcome) => !outcome.endsWith('failed'))).toEqual([])
    expect(received).toEqual([])
  })
})

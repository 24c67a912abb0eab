import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { waitUntil } from '../../support/wait-until.ts'
import { RunningViewer } from '../running-viewer.ts'
import { requestOf } from '../support.ts'

let viewer: RunningViewer
let responses: IncomingMessage[]

beforeEach(async () => {
  responses = []
  viewer = await RunningViewer.start()
  const records = Array.from({ length: 250 }, (_, index) => ({
    time: index + 1,
    severityNumber: 9,
    body: `row ${index}`,
  }))
  expect((await viewer.post('/v1/logs', requestOf(records))).status).toBe(200)
})
afterEach(() => {
  for (const response of responses) response.destroy()
  viewer.close()
})

/** Opens a view, and returns its events until all records were tested, as name and data. */
async function eventsOf(parameters: string): Promise<readonly (readonly [name: string, data: string])[]> {
  const [response] = (await once(get(`http://127.0.0.1:${viewer.port}/api/live?${parameters}`), 'response')) as [
    IncomingMessage,
  ]
  responses.push(response)
  let text = ''
  response.setEncoding('utf8').on('data', (part: string) => (text += part))
  await waitUntil(() => text.includes('"untested":0'))
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name, data]) => [name!, data!] as const)
}

test.each([
  ['60', 100, 150],
  ['50', 200, 50],
  ['51', 100, 150],
  ['500', 0, 250],
])('the newest %s rows come before the state, from the start of a block', async (newest, from, count) => {
  const events = await eventsOf(`newest=${newest}`)
  const at = events.findIndex(([name]) => name === 'newest')
  expect(events[at + 1]![0]).toBe('state')
  const block = JSON.parse(events[at]![1]) as { from: number; epoch: number; rows: { message: string }[] }
  expect([block.from, block.rows.length]).toEqual([from, count])
  expect(block.rows.map(({ message }) => message)).toEqual(
    Array.from({ length: count }, (_, index) => `row ${from + index}`),
  )
  expect(block.epoch).toBe((JSON.parse(events[at + 1]![1]) as { epoch: number }).epoch)
})

test.each(['', 'newest=0', 'newest=10&q=%22missing%22'])(
  'a view with the parameters "%s" has no rows with its state',
  async (parameters) => {
    const events = await eventsOf(parameters)
    expect(events.map(([name]) => name)).not.toContain('newest')
  },
)

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Socket } from 'node:net'
import { waitUntil } from '../../support/wait-until.ts'
import { RunningViewer } from '../running-viewer.ts'
import { requestOf, type TestRecord } from '../support.ts'

let viewer: RunningViewer
let sockets: Socket[]

beforeEach(async () => {
  viewer = await RunningViewer.start({ maxBytes: 3_000_000 })
  sockets = []
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  viewer.close()
})

interface OpenView {
  readonly id: number
  /** Whether all records were tested, and how many match. */
  isComplete(rows: number): boolean
  close(): void
}

/** Opens a view as a page does. */
async function openView(parameters = ''): Promise<OpenView> {
  const socket = await viewer.connect()
  sockets.push(socket)
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.write(`GET /api/live?${parameters} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  await waitUntil(() => text.includes('event: state'))
  return {
    id: Number(/event: view\ndata: (\d+)/.exec(text)![1]),
    isComplete: (rows) => {
      const [, state] = [...text.matchAll(/event: state\ndata: (.*)\n\n/g)].at(-1)!
      const { rows: found, untested } = JSON.parse(state!) as { rows: number; untested: number }
      return untested === 0 && found === rows
    },
    close: () => socket.destroy(),
  }
}

async function send(records: readonly TestRecord[]): Promise<void> {
  const { status } = await viewer.post('/v1/logs', requestOf(records))
  expect(status).toBe(200)
}

async function position(parameters: string): Promise<{ status: number; answer: unknown }> {
  const { status, text } = await viewer.send(`/api/position?${parameters}`)
  return { status, answer: JSON.parse(text) }
}

// The records with the numbers 0 to 4 come in another order than that of their times.
const records: readonly TestRecord[] = [
  { time: 50, severityNumber: 9, body: 'fifth' },
  { time: 10, severityNumber: 17, body: 'first' },
  { time: 40, severityNumber: 17, body: 'fourth' },
  { time: 20, severityNumber: 9, body: 'second' },
  { time: 20, severityNumber: 17, body: 'third, with the same time' },
]

describe('GET /api/position', () => {
  it('returns the position of each record in the order of times', async () => {
    await send(records)
    const view = await openView()
    await waitUntil(() => view.isComplete(5))
    const positions = await Promise.all([0, 1, 2, 3, 4].map((seq) => position(`view=${view.id}&record=${seq}`)))
    expect(positions).toEqual([4, 0, 3, 1, 2].map((index) => ({ status: 200, answer: { index, isInView: true } })))
  })

  it('returns the position of the next record that is in the view for one that is not', async () => {
    await send(records)
    const view = await openView('level=error')
    await waitUntil(() => view.isComplete(3))
    const positions = await Promise.all([3, 0].map((seq) => position(`view=${view.id}&record=${seq}`)))
    expect(positions.map(({ answer }) => answer)).toEqual([
      { index: 1, isInView: false },
      { index: 3, isInView: false },
    ])
  })

  it('returns the start of the view for a record that was removed from memory', async () => {
    const view = await openView()
    const batch = Array.from({ length: 100 }, (_, at) => ({ time: at + 1, body: 'x'.repeat(10_000) }))
    for (let sent = 0; sent < 5; sent++) await send(batch)
    const { firstSequence, size } = viewer.server.logs
    expect(firstSequence).toBeGreaterThan(0)
    await waitUntil(() => view.isComplete(size))
    for (const seq of [0, firstSequence - 1])
      expect((await position(`view=${view.id}&record=${seq}`)).answer).toEqual({ index: 0, isInView: false })
    // The times of each batch begin again, so the oldest record in memory is not the first row.
    const { index } = (await position(`view=${view.id}&record=${firstSequence}`)).answer as { index: number }
    expect(index).toBeGreaterThan(0)
    const { rows } = JSON.parse((await viewer.send(`/api/rows?view=${view.id}&from=${index}&count=1`)).text) as {
      rows: { seq: number }[]
    }
    expect(rows[0]!.seq).toBe(firstSequence)
  })

  it('returns that a record is not in the view if it does not exist yet, or its number is not an integer', async () => {
    await send(records)
    const view = await openView()
    await waitUntil(() => view.isComplete(5))
    for (const seq of ['5', '1e15', '-1', '1.5'])
      expect(await position(`view=${view.id}&record=${seq}`)).toMatchObject({
        status: 200,
        answer: { isInView: false },
      })
  })

  it.each([
    ['record=1', 400, 'view is missing'],
    ['view=VIEW', 400, 'record is missing'],
    ['view=VIEW&record=', 400, "record: '' is not a number"],
    ['view=VIEW&record=x', 400, "record: 'x' is not a number"],
    ['view=VIEW&record=Infinity', 400, "record: 'Infinity' is not a number"],
    ['view=x&record=1', 400, "view: 'x' is not a number"],
    ['view=0&record=1', 404, 'the view is closed; open it again'],
  ])('answers %s with the status %d', async (parameters, status, error) => {
    const view = await openView()
    expect(await position(parameters.replace('VIEW', String(view.id)))).toEqual({ status, answer: { error } })
  })

  it('answers 404 after the page of the view was closed', async () => {
    const view = await openView()
    expect(await position(`view=${view.id}&record=0`)).toEqual({ status: 200, answer: { index: 0, isInView: false } })
    view.close()
    await waitUntil(() => viewer.server.pageCount === 0)
    expect((await position(`view=${view.id}&record=0`)).status).toBe(404)
  })
})
